/**
 * Mistakes that tests had missed in places where none had been planted: in the folders that are watched, in what is deployed, in
 * pages, reviews and lockfiles. Rows as those of `surfaces.mjs`.
 *
 * @type {readonly (readonly [id: string, says: string, file: string, from: string, to: string, tests: string])[]}
 */
export const remainingRows = [
  // Folders that are watched.
  [
    'watch-appeared',
    'folders that appeared are watched only once a file is read in them',
    'src/cli/live/watch.ts',
    ', ...[...appeared].flatMap(foldersIn)])',
    '])',
    'cli/watch-folders',
  ],
  [
    'watch-inner',
    'folders within one that appeared are not watched',
    'src/cli/live/watch.ts',
    'return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))]',
    'return [folder]',
    'cli/watch-folders',
  ],
]

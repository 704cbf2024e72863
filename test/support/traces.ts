import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ESModulesEvaluator, ModuleRunner } from 'vite/module-runner'

/** Has traces of errors show the lines of the sources, where Node has loaded what was compiled of them (`compiled.ts`). */
new ModuleRunner(
  {
    transport: { invoke: () => Promise.reject(new Error('nothing is loaded by it')) },
    hmr: false,
    sourcemapInterceptor: {
      retrieveFile: (path) =>
        path.includes('/dist/tested/') ? readFileSync(path.startsWith('file:') ? fileURLToPath(path) : path, 'utf8') : null,
    },
  },
  new ESModulesEvaluator(),
)

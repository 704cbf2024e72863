/** How long a token lives where nothing else is said, in seconds: the sample of the document of record. */
export const usualLifetime = 3599

/** With `STORES=sqlite`, tests that need PostgreSQL are skipped. */
export const usesPostgres: boolean = process.env.STORES !== 'sqlite'

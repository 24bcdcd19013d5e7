export * from './verdicts.ts'

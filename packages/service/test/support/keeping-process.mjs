// Keeps a thousand refunds in a file, and prints why if it cannot: `node keeping-process.mjs FILE`.
import { PendingFile } from '../../dist/store/pending-file.js'

const refunds = Array.from({ length: 1_000 }, (_, units) => ({ units }))
try {
  new PendingFile(process.argv[2] ?? '').keep({
    notes: { completions: [], refunds, refusals: [], refusalSums: [] },
    batches: [],
  })
} catch (error) {
  process.stdout.write(error.message)
}

/*
 * A name server as a separate process: prints its address; answers after argv[2] ms, but never for domains named dead….
 */
import { startDnsServer } from '../../tests/support/dns-server.ts'

const delayMs = Number(process.argv[2])
const server = await startDnsServer((domain) => (domain.startsWith('dead') ? 'silence' : { behaviour: 'mx', delayMs }))
console.log(server.address)

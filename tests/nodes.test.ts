import { expect, test } from 'vitest'
import { fetchNode } from './support/nodes.ts'
import { removeFolder, startServer } from './support/server.ts'

test('a Node.js with and one without built-in SQLite can use the same file at the same time', async () => {
  const other = await fetchNode(Number.parseInt(process.versions.node, 10) < 24 ? 24 : 22)
  const server = await startServer({ node: other.path })
  // Keys and events are written and read by this process, with its own SQLite.
  const { token } = await server.key('nodes@example.com')
  const body = { mode: 'lines', data: 'a\nb\na' }
  expect(await server.call({ token, body })).toMatchObject({ status: 200, json: { result: ['a', 'b'] } })
  expect(await server.events('nodes@example.com')).toMatchObject([{ units: 3, removed: 1, status: 200 }])
  expect((await server.cli('usage', '--verify')).code).toBe(0)
  await server.stop()
  expect((await server.log()).split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([])
  await removeFolder(server.folder)
  await other.remove()
})

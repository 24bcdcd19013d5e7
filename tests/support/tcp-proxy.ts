import { createConnection, createServer, type Socket } from 'node:net'

/** A proxy between a client and a server on this machine that can fail like a network. */
export interface TcpProxy {
  readonly port: number
  /** Silently drops everything in both directions. */
  dropAll(isDropping: boolean): void
  /**
   * Closes the connection on which a client next sends a chunk with these bytes: before the server gets it, or when the
   * server has answered but before the client gets the answer. Resolves when it is closed.
   */
  cutAt(bytes: string, when: 'before' | 'after'): Promise<void>
  /** Replaces bytes in what the server sends, by as many others. */
  replace(bytes: string, by: string): void
  close(): void
}

/** Starts a proxy in front of a port of this machine, on any free port. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isDropping = false
  let trap: { readonly bytes: string; readonly when: 'before' | 'after'; readonly cut: () => void } | undefined
  let rewrite = (chunk: Buffer): Buffer => chunk
  const server = createServer((client) => {
    const target = createConnection(targetPort, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      target.destroy()
    }
    let isCut = false
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (chunk) => {
      if (isDropping) return
      const triggered = trap !== undefined && chunk.includes(trap.bytes) ? trap : undefined
      if (triggered?.when !== 'before') target.write(chunk)
      if (triggered === undefined) return
      trap = undefined
      isCut = true
      const cut = (): void => {
        end()
        triggered.cut()
      }
      if (triggered.when === 'before') cut()
      else target.once('data', () => setImmediate(cut))
    })
    target.on('data', (chunk) => {
      if (!isDropping && !isCut) client.write(rewrite(chunk))
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return {
    port,
    dropAll(now) {
      isDropping = now
    },
    cutAt: (bytes, when) =>
      new Promise((cut) => {
        trap = { bytes, when, cut }
      }),
    replace(bytes, by) {
      rewrite = (chunk) => Buffer.from(chunk.toString('latin1').replaceAll(bytes, by), 'latin1')
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

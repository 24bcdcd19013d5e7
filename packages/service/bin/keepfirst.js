#!/usr/bin/env node
import module from 'node:module'

// What Node.js compiles it finds again at the next start, where it can (22.1 and newer).
module.enableCompileCache?.()
await import('../bundle/main.js')

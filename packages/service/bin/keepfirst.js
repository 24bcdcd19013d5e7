#!/usr/bin/env node
import module from 'node:module'

// Lets Node.js (22.1 and newer) reuse compiled code at the next start.
module.enableCompileCache?.()
await import('../bundle/main.js')

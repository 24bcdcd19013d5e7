import { constants, fstatSync, openSync, type Stats } from 'node:fs'
import { shellWord } from '@keepfirst/protocol'
import { Draft } from './draft.ts'
import { explain, UserError } from './errors.ts'
import type { Input } from './input.ts'
import { Output } from './output.ts'
import { type Place, placeOf } from './place.ts'
import { STANDARD_OUTPUT } from './print.ts'

/** Where results go: written directly (pipe, terminal, device), or to a draft that then replaces a file. */
export interface Target {
  readonly output: Output
  /** Undefined when bytes are written directly. */
  readonly draft: Draft | undefined
}

export interface Targets {
  readonly output: Target
  readonly removed: Target | undefined
}

/** A file in use, and what it is used for. */
interface Taken {
  readonly stats: Stats | undefined
  readonly path?: string
  readonly use: string
}

/** A file or descriptor to write to, as the user named it and what that stands for. */
interface Destination {
  readonly name: string
  readonly place: Place
}

/** Programs for the compressed formats that these file names suggest. */
const PACKERS: readonly { name: RegExp; packer: string }[] = [
  { name: /\.zst$/i, packer: 'zstd' },
  { name: /\.xz$/i, packer: 'xz' },
  { name: /\.bz2$/i, packer: 'bzip2' },
  { name: /\.lz4$/i, packer: 'lz4' },
]
const GZIP_NAME = /\.gz$/i

/**
 * Opens the output FILE (standard output if none is named) and the report FILE. Neither may be an input, and they must
 * differ.
 * @throws UserError when one cannot be opened, or is already in use
 */
export function openTargets(
  files: { output: string | undefined; removed: string | undefined },
  inputs: readonly Input[],
): Targets {
  const taken = inputs.map(takenAsInput)
  const output = claim(files.output, taken, 'the output')
  const removed = files.removed === undefined ? undefined : claim(files.removed, taken, 'the report')
  return open(output, removed)
}

/**
 * Opens the replacement for the file that is being read, compressed if the original is.
 * @throws UserError when it cannot be replaced
 */
export function openReplacement(file: string, input: Input, removedFile: string | undefined): Targets {
  const { place } = destinationOf(file)
  // A descriptor of a file would be written to while the file is being read.
  if (!input.stats.isFile() || place.kind !== 'file')
    throw new UserError(`${input.name}: is not a file that can be replaced`)
  const removed = removedFile === undefined ? undefined : claim(removedFile, [takenAsInput(input)], 'the report')
  return open({ name: file, place }, removed, input.isGzip)
}

/**
 * Opening a named pipe may wait for its other end, so it happens before there is a draft to clean up after a signal.
 */
function open(output: Destination, removed: Destination | undefined, isGzip = GZIP_NAME.test(output.name)): Targets {
  const isLast = removed && removed.place.kind !== 'file'
  const removedFirst = isLast ? openTarget(removed) : undefined
  const outputTarget = openTarget(output, isGzip)
  return { output: outputTarget, removed: removedFirst ?? (removed && openTarget(removed)) }
}

function openTarget({ name, place }: Destination, isGzip = GZIP_NAME.test(name)): Target {
  if (place.kind === 'file') {
    const draft = new Draft(name, place, isGzip)
    return { output: draft.output, draft }
  }
  try {
    const fd = place.kind === 'descriptor' ? place.fd : openSync(place.path, constants.O_WRONLY)
    return { output: new Output(name, fd, isGzip && place.kind === 'device'), draft: undefined }
  } catch (error) {
    throw explain(error, name)
  }
}

function takenAsInput({ stats }: Input): Taken {
  return { stats, use: 'an input' }
}

/** Resolves a name, makes sure that nothing else uses the file, and marks it as taken. */
function claim(file: string | undefined, taken: Taken[], use: string): Destination {
  const claimed = destinationOf(file)
  const { name, place } = claimed
  const stats = place.kind === 'descriptor' ? fstatSync(place.fd) : place.stats
  const path = place.kind === 'file' ? place.path : undefined
  // Terminals and /dev/null may be used more than once.
  const isExclusive = place.kind === 'file' || stats?.isFile() || stats?.isFIFO()
  const other = taken.find((one) => isExclusive && (isSameFile(one.stats, stats) || (path && one.path === path)))
  if (other) throw new UserError(`${name}: is ${other.use} as well`)
  taken.push({ stats, use, ...(path === undefined ? {} : { path }) })
  return claimed
}

/** @throws UserError when the name cannot be resolved, or implies a compression format that we do not write */
function destinationOf(file: string | undefined): Destination {
  if (file === undefined || file === '-') {
    return { name: 'standard output', place: { kind: 'descriptor', fd: STANDARD_OUTPUT } }
  }
  const packer = PACKERS.find((one) => one.name.test(file))?.packer
  if (packer)
    throw new UserError(`${file}: keepfirst writes only gzip; try keepfirst … | ${packer} > ${shellWord(file)}`)
  try {
    return { name: file, place: placeOf(file) }
  } catch (error) {
    throw explain(error, file)
  }
}

function isSameFile(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

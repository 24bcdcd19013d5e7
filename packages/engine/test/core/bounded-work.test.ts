import { describe, expect, test } from 'vitest'
import { dedupeJson, dedupeLines, dedupeRows } from '../../src/index.ts'

describe('time and memory are bounded by the length of the text', () => {
  const all = { keyColumns: [], hasHeader: false, caseSensitive: true }
  test.each([
    { name: 'a quote that never closes', csv: '"'.repeat(1_000_001), kept: 1 },
    { name: 'cells that each open a quote', csv: '"a,'.repeat(300_000), kept: 1 },
    { name: 'text after every closing quote', csv: '"a"b,'.repeat(300_000), kept: 1 },
    { name: 'a million empty cells', csv: ','.repeat(1_000_000), kept: 1 },
    { name: 'a million empty lines', csv: '\n'.repeat(1_000_000), kept: 1 },
  ])('$name', ({ csv, kept }) => {
    const deduped = dedupeRows(csv, { ...all })
    expect(deduped.kept).toBe(kept)
    expect(deduped.result.length).toBeLessThan(csv.length * 2)
  })

  test('many rows and key columns, and one row that has all of them', () => {
    const csv = `${'a,b\n'.repeat(50_000)}${','.repeat(200_000)}x`
    const keyColumns = Array.from({ length: 200_001 }, (_, column) => column)
    expect(dedupeRows(csv, { ...all, keyColumns }).result.startsWith('a,b\n,,')).toBe(true)
  })

  test('a million lines', () => {
    expect(dedupeLines('a\n'.repeat(1_000_000))).toMatchObject({ kept: 2, removed: 999_999 })
  })

  test('100,000 levels of nesting, and a path of 700,000 segments into as many levels', () => {
    const item = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`
    expect(dedupeJson(`[${item},0,${item}]`).result === `[${item},0]`).toBe(true)
    const deep = (value: number) => `${'{"a":'.repeat(700_000)}${value}${'}'.repeat(700_000)}`
    const key = Array(700_000).fill('a').join('.')
    expect([...dedupeJson(`[${deep(1)},${deep(1)},${deep(2)}]`, { key }).survivorOf]).toEqual([0, 0, 2])
  })

  test('as many levels of nesting as fit into a body, closed or not', () => {
    const item = '['.repeat(2_500_000) + ']'.repeat(2_500_000)
    expect(dedupeJson(`[${item}]`).result === `[${item}]`).toBe(true)
    expect(() => dedupeJson('['.repeat(5_000_000))).toThrow('the array does not end')
  })

  test.each([
    { name: 'a path of one giant segment', key: '9'.repeat(1_000_000), kept: 1 },
    { name: 'a path of a million segments', key: '.'.repeat(1_000_000), kept: 1 },
  ])('$name', ({ key, kept }) => {
    expect(dedupeJson(`[${'{"a":1},'.repeat(50_000)}[1]]`, { key }).kept).toBe(kept)
  })

  test.each([
    { name: 'five million digits', number: '9'.repeat(5_000_000) },
    { name: 'five million zeros', number: `1${'0'.repeat(5_000_000)}` },
    { name: 'five million zeros after the decimal point', number: `0.${'0'.repeat(5_000_000)}1` },
    { name: 'an exponent of five million digits', number: `1e${'9'.repeat(5_000_000)}` },
  ])('$name', ({ number }) => {
    expect(dedupeJson(`[${number},${number.includes('e') ? number : `${number}e0`}]`).kept).toBe(1)
  })
})

import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * The keys by which items are compared: columns by position or name, and paths; and what happens if no item has the
 * key.
 */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
})
afterEach(() => sandbox.clear())

const PEOPLE = 'id,email,"e-mail, private"\n1,a@x.example,p\n2,b@x.example,p\n3,a@x.example,q\n'

describe('columns', () => {
  test.each([
    { columns: '1', kept: [1, 2] },
    { columns: 'email', kept: [1, 2] },
    { columns: ' email ', kept: [1, 2] },
    { columns: '"email"', kept: [1, 2] },
    { columns: 'e-mail, private', kept: [1, 3] },
    { columns: '"e-mail, private"', kept: [1, 3] },
    { columns: '"e-mail, private",1', kept: [1, 2, 3] },
    { columns: 'id,email', kept: [1, 2, 3] },
    { columns: '0, 1', kept: [1, 2, 3] },
    { columns: ' 0 ', kept: [1, 2, 3] },
    // If some of the columns exist, the others count as empty, without a message.
    { columns: '1,99', kept: [1, 2] },
  ])('$columns', async ({ columns, kept }) => {
    sandbox.write('people.csv', PEOPLE)
    const rows = PEOPLE.split('\n')
    const { code, stdout, stderr } = await sandbox.run('', 'rows', '-k', columns, 'people.csv')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${[0, ...kept].map((at) => rows[at]).join('\n')}\n`,
      stderr: '',
    })
  })

  test.each([
    {
      what: 'a number as a name',
      header: '2024,2023',
      columns: '"2023"',
      csv: '1,a\n2,a\n3,b\n',
      stdout: '1,a\n3,b\n',
    },
    {
      what: 'a byte-order mark before the header',
      header: '\ufeffid,n',
      columns: 'id',
      csv: '1,a\n1,b\n',
      stdout: '1,a\n',
    },
    { what: 'a quoted name', header: '"a ""b""",c', columns: '"a ""b"""', csv: '1,a\n1,b\n', stdout: '1,a\n' },
    { what: 'a name with space around it', header: 'id, n', columns: 'n', csv: '1,a\n2,a\n', stdout: '1,a\n' },
    { what: 'an empty name', header: 'id,', columns: '""', csv: '1,a\n2,a\n', stdout: '1,a\n' },
    {
      what: 'a position that is a name as well',
      header: ',0,1',
      columns: '0',
      csv: '0,x,y\n1,x,z\n',
      stdout: '0,x,y\n1,x,z\n',
    },
    {
      what: 'a list of positions that is a name as well',
      header: 'a,"0,1",0',
      columns: '0,1',
      csv: '0,x,y\n1,x,y\n',
      stdout: '0,x,y\n1,x,y\n',
    },
    {
      what: 'a list of names that is a name as well',
      header: 'a,b,"a,b"',
      columns: 'a,b',
      csv: '0,x,y\n1,x,y\n',
      stdout: '0,x,y\n1,x,y\n',
    },
    {
      what: 'names and positions that are a name as well',
      header: 'a,b,"a,1"',
      columns: 'a,1',
      csv: '0,x,y\n1,x,y\n',
      stdout: '0,x,y\n1,x,y\n',
    },
    {
      what: 'a quoted number among the names',
      header: ',0,1',
      columns: '"0"',
      csv: '0,x,y\n1,x,z\n',
      stdout: '0,x,y\n',
    },
  ])('$what', async ({ header, columns, csv, stdout }) => {
    const ended = await sandbox.run(`${header}\n${csv}`, 'rows', '-k', columns)
    expect(ended).toEqual({ code: 0, stdout: `${header}\n${stdout}`, stderr: '' })
  })

  test.each([
    { args: ['-k', 'id', '-k', 'email'] },
    { args: ['-k', 'email', '-k', 'id'] },
    { args: ['-k', '0', '--key-columns', 'email'] },
    { args: ['-k', 'e-mail, private', '-k', '1'], kept: [1, 2, 3] },
    { args: ['-k', 'email', '-k', '1'], kept: [1, 2] },
  ])('a repeated flag adds columns: $args', async ({ args, kept = [1, 2, 3] }) => {
    const rows = PEOPLE.split('\n')
    const stdout = `${[0, ...kept].map((at) => rows[at]).join('\n')}\n`
    expect(await sandbox.run(PEOPLE, 'rows', ...args)).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each([
    {
      what: 'with --fuzzy',
      args: ['--fuzzy', '-k', 'name'],
      csv: 'id,name\n1,Ann Lee\n2,"Lee, Ann"\n',
      stdout: 'id,name\n1,Ann Lee\n',
    },
    { what: 'ignoring case', args: ['-i', '-k', 'name'], csv: 'id,name\n1,a\n2,A\n', stdout: 'id,name\n1,a\n' },
    {
      what: 'with other separators',
      args: ['-d', ';', '-k', 'name'],
      csv: 'id;name\n1;"a;b"\n2;"a;b"\n',
      stdout: 'id;name\n1;"a;b"\n',
    },
    {
      what: 'with \\t as separator',
      args: ['-d', '\\t', '-k', 'name'],
      csv: 'id\tname\n1\ta,b\n2\ta,b\n',
      stdout: 'id\tname\n1\ta,b\n',
    },
    {
      what: 'with a tab as separator',
      args: ['-d', '\t', '-k', '1'],
      csv: 'id\tname\n1\ta,b\n2\ta,b\n',
      stdout: 'id\tname\n1\ta,b\n',
    },
  ])('by name $what', async ({ args, csv, stdout }) => {
    expect(await sandbox.run(csv, 'rows', ...args)).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each([
    { columns: 'mail', says: 'no column is named mail; the header has id, email, e-mail, private' },
    { columns: 'id,mail', says: 'no column is named mail; the header has id, email, e-mail, private' },
    { columns: '-1', says: 'no column is named -1; the header has id, email, e-mail, private' },
    { columns: '3', says: 'no row has column 3; columns count from 0, the header has 3' },
    { columns: '3,7', says: 'no row has columns 3, 7; columns count from 0, the header has 3' },
  ])('columns that no row has: $columns', async ({ columns, says }) => {
    sandbox.write('people.csv', PEOPLE)
    const before = { code: 1, stdout: '', stderr: `keepfirst: ${says}\n` }
    expect(await sandbox.run('', 'rows', `--key-columns=${columns}`, 'people.csv')).toEqual(before)
    expect(await sandbox.run('', 'rows', `--key-columns=${columns}`, '--in-place', 'people.csv')).toEqual(before)
    expect(
      await sandbox.run('', 'rows', `--key-columns=${columns}`, 'people.csv', '-o', 'out', '--removed', 'r'),
    ).toEqual(before)
    expect(sandbox.read('people.csv').toString()).toBe(PEOPLE)
    expect(readdirSync(sandbox.folder)).toEqual(['people.csv'])
  })

  test.each([
    { what: 'with --fuzzy', args: ['--fuzzy', '-k', '9'], csv: PEOPLE, says: 'no row has column 9' },
    { what: 'a number beyond all numbers', args: ['-k', '9'.repeat(400)], csv: PEOPLE, says: 'no row has column 9007' },
    {
      what: 'a column, without a header',
      args: ['--no-header', '-k', '9'],
      csv: 'a\nb\n',
      says: 'no row has column 9; columns count from 0\n',
    },
    { what: 'a column that only the header has', args: ['-k', '1'], csv: 'a,b\n1\n2\n', says: 'no row has column 1' },
    {
      what: 'a name whose column only the header has',
      args: ['-k', 'b'],
      csv: 'a,b\n1\n2\n',
      says: 'no row has column "b"',
    },
    {
      what: 'with --keep-empty',
      args: ['--keep-empty', '-k', '9'],
      csv: PEOPLE,
      says: 'no row has column 9',
    },
    {
      what: 'a name that occurs twice',
      args: ['-k', 'n'],
      csv: 'n,m,n\n1,2,3\n',
      says: 'columns 0, 2 are all named n',
    },
    {
      what: 'a list separated by semicolons',
      args: ['-k', '1'],
      csv: 'id;n\n1;a\n2;a\n',
      says: "the header has no column 1 and no comma but semicolons; try --delimiter ';'",
    },
    {
      what: 'rows that are separated by commas, unlike their header',
      args: ['-k', '1,2'],
      csv: 'id;n\n1,a,x\n2,a,x\n',
      says: 'the header has no columns 1, 2 and no comma but semicolons',
    },
    {
      what: 'a list separated by tabs',
      args: ['-k', 'n'],
      csv: 'id\tn\n1\ta\n',
      says: "no comma but tabs; try --delimiter '\\t'",
    },
    {
      what: 'more rows than fit into a buffer',
      args: ['-k', '9'],
      csv: `h\n${'row\n'.repeat(200_000)}`,
      says: 'no row has',
    },
  ])('no row has the key, or it is ambiguous: $what', async ({ args, csv, says }) => {
    const { code, stdout, stderr } = await sandbox.run(csv, 'rows', ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(says)
  })

  test.each([
    { what: 'an empty list', args: ['-k', '9'], csv: '' },
    { what: 'an empty list, by name', args: ['-k', 'n'], csv: '' },
    { what: 'a header alone', args: ['-k', '9'], csv: 'a,b\n' },
    { what: 'a header without a line break', args: ['-k', 'b'], csv: 'a,b' },
    { what: 'one row', args: ['-k', '9'], csv: 'a,b\n1,2\n' },
    { what: 'only the last row has the column', args: ['-k', '1'], csv: 'a,b\n1\n1,2\n' },
  ])('no error if nothing would be lost: $what', async ({ args, csv }) => {
    expect(await sandbox.run(csv, 'rows', ...args)).toEqual({ code: 0, stdout: csv, stderr: '' })
  })

  test.each([
    { what: 'no item had the key yet', args: ['json', '-k', 'id'], input: '{"a":1}\n{"a":2}\n', written: '' },
    { what: 'an item had it', args: ['json', '-k', 'a'], input: '{"a":1}\n{}\n', written: '{"a":1}\n{}' },
    { what: 'no row had the column yet', args: ['rows', '-k', '1'], input: 'h\n1\n2\n', written: '' },
    { what: 'a row had it', args: ['rows', '-k', '0'], input: 'h\n1\n1\n', written: 'h\n1' },
  ])('what an error in a later file leaves if $what', async ({ args, input, written }) => {
    sandbox.write('first', input)
    sandbox.write('later', gzipSync('x').subarray(0, -4))
    expect(await sandbox.run('', ...args, 'first', 'later')).toMatchObject({ code: 1, stdout: written })
  })

  const FIRST = 'id,name\n1,x\n2,y\n'
  test.each([
    { what: 'columns in another order', args: ['-k', 'id'], later: 'name,id\n1,9\nz,1\n' },
    { what: 'one more column', args: ['-k', 'id'], later: 'id,name,age\n1,9,9\n' },
    { what: 'space around a name', args: ['-k', 'id'], later: 'name, id\n1,9\n' },
    { what: 'several names', args: ['-k', 'id,name'], later: 'name,id\n1,9\n' },
    { what: 'names and numbers', args: ['-k', 'id,1'], later: 'name,id\n1,9\n' },
    { what: 'with --fuzzy', args: ['--fuzzy', '-k', 'id'], later: 'name,id\n1,9\n' },
  ])('a later file with another header is refused: $what', async ({ args, later }) => {
    sandbox.write('first', FIRST)
    sandbox.write('later', later)
    const { code, stderr } = await sandbox.run('', 'rows', ...args, 'first', 'later', '-o', 'out')
    expect(code).toBe(1)
    const header = later.slice(0, later.indexOf('\n')).replaceAll(',', ', ')
    expect(stderr).toContain(`keepfirst: later: its header is ${header}, but that of the first file is id, name; `)
    expect(readdirSync(sandbox.folder).sort()).toEqual(['first', 'later'])
  })

  test.each([
    { what: 'the same header', args: ['-k', 'id'], later: 'id,name\n1,z\n3,x\n', added: '3,x\n' },
    { what: 'data', args: ['-k', 'id'], later: '3,id2\n1,z\n', added: '3,id2\n' },
    { what: 'only one of the names', args: ['-k', 'id,name'], later: 'id,9\n1,x\n', added: 'id,9\n' },
    { what: 'another header, with columns by number', args: ['-k', '0'], later: 'name,id\n1,9\n', added: 'name,id\n' },
    { what: 'another header, with whole rows', args: [], later: 'name,id\n1,x\n', added: 'name,id\n' },
  ])('a later file is accepted: $what', async ({ args, later, added }) => {
    sandbox.write('first', FIRST)
    sandbox.write('later', later)
    const ended = await sandbox.run('', 'rows', ...args, 'first', 'later')
    expect(ended).toEqual({ code: 0, stdout: FIRST + added, stderr: '' })
  })

  test('a warning about a header with another separator, although its only column exists', async () => {
    const csv = 'id;n\n1;a\n2;a\n'
    const { code, stdout, stderr } = await sandbox.run(csv, 'rows', '-k', '0')
    expect({ code, stdout }).toEqual({ code: 0, stdout: csv })
    expect(stderr).toBe("keepfirst: the header has no comma but semicolons; try --delimiter ';'\n")
  })

  test.each([
    { args: ['-k', ''] },
    { args: ['-k', '0,'] },
    { args: ['-k', ',0'] },
    { args: ['-k', 'name', '--no-header'] },
    { args: ['-d', ''] },
    { args: ['-d', ';;'] },
    { args: ['-d', '"'] },
    { args: ['-d', '\n'] },
    { args: ['-d', '§'] },
  ])('$args is a usage error', async ({ args }) => {
    expect(await sandbox.run('a,b\n', 'rows', ...args)).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('empty keys', () => {
  const CONTACTS = 'n,email,phone\nann,,\nbob,,\ncy,c@x,\ndan,c@x,\neve,,1\nfay,,1\n'

  test.each([
    { args: ['-k', 'email', '--keep-empty'], kept: ['ann', 'bob', 'cy', 'eve', 'fay'], emptyKeys: 4 },
    { args: ['-k', 'email'], kept: ['ann', 'cy'], emptyKeys: 4 },
    { args: ['-k', '1,2', '--keep-empty'], kept: ['ann', 'bob', 'cy', 'eve'], emptyKeys: 2 },
    { args: ['-k', 'n', '--keep-empty'], kept: ['ann', 'bob', 'cy', 'dan', 'eve', 'fay'], emptyKeys: undefined },
    { args: ['-k', 'email', '--keep-empty', '--fuzzy'], kept: ['ann', 'bob', 'cy', 'eve', 'fay'], emptyKeys: 4 },
  ])('$args', async ({ args, kept, emptyKeys }) => {
    const { stdout, stderr } = await sandbox.run(CONTACTS, 'rows', '--count', ...args)
    const names = stdout
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split(',')[0])
    expect(names).toEqual(kept)
    expect(JSON.parse(stderr)).toEqual({
      kept: kept.length,
      removed: 6 - kept.length,
      ...(emptyKeys === undefined ? {} : { emptyKeys }),
    })
  })

  test('items without the path are counted as empty keys as well', async () => {
    const { stderr } = await sandbox.run('[{"a":1},{},{"a":null},{}]', 'json', '-k', 'a', '--count')
    expect(JSON.parse(stderr)).toEqual({ kept: 3, removed: 1, emptyKeys: 2 })
  })
})

describe('paths', () => {
  const ITEMS = '[{"id":1,"user":{"Name":"x","tags":[{"n":1}]}},{"id":1,"user":{"Name":"x","tags":[{"n":1}]}}]'

  test.each([
    { key: '.id', meant: 'id' },
    { key: '$.id', meant: 'id' },
    { key: '$[*].id', meant: 'id' },
    { key: '.[].id', meant: 'id' },
    { key: '.[]?.id', meant: 'id' },
    { key: '/id', meant: 'id' },
    { key: '/user/Name', meant: 'user.Name' },
    { key: 'ID', meant: 'id' },
    { key: 'user.name', meant: 'user.Name' },
    { key: "user['Name']", meant: 'user.Name' },
    { key: 'user.tags[0].n', meant: 'user.tags.0.n' },
    { key: '0.id', meant: 'id' },
    { key: 'items[0].id', meant: 'id' },
    { key: 'items.id', meant: 'id' },
  ])('$key resolves in no item: $meant is suggested', async ({ key, meant }) => {
    sandbox.write('keep', 'old\n')
    const says = `keepfirst: --key ${key} names nothing in any of 2 items; write ${meant}\n`
    expect(await sandbox.run(ITEMS, 'json', `--key=${key}`)).toEqual({ code: 1, stdout: '', stderr: says })
    const lines = ITEMS.slice(1, -1).replace('},{"id"', '}\n{"id"')
    expect(await sandbox.run(lines, 'json', `--key=${key}`, '-o', 'keep')).toEqual({
      code: 1,
      stdout: '',
      stderr: says,
    })
    expect(sandbox.read('keep').toString()).toBe('old\n')
    expect((await sandbox.run(ITEMS, 'json', `--key=${meant}`)).code).toBe(0)
  })

  test.each([
    { input: '[{"id":1},{"id":2}]', says: 'the first one has id' },
    { input: '[1,2,3]', says: 'names nothing in any of 3 items; a path is written a.b or a.0.b' },
  ])('no similar path: $says', async ({ input, says }) => {
    const { code, stderr } = await sandbox.run(input, 'json', '-k', 'nosuch')
    expect(code).toBe(1)
    expect(stderr).toContain(says)
  })

  test.each(['', '[]', '[{}]', '{}\n', '[1]'])('no error if nothing would be lost: %j', async (input) => {
    expect(await sandbox.run(input, 'json', '-k', 'nosuch')).toEqual({ code: 0, stdout: input, stderr: '' })
  })

  test('a path that a single item has is used without a message, wherever the item is', async () => {
    const input = `${'{}\n'.repeat(100_000)}{"a":1}\n`
    expect(await sandbox.run(input, 'json', '-k', 'a')).toEqual({ code: 0, stdout: '{}\n{"a":1}\n', stderr: '' })
  })
})

describe('invalid JSON: the survivors before it are written, and the message names its position', () => {
  test.each([
    { input: '0\n{"a":1}{"a":2}', stdout: '0', says: 'line 2, column 8: ' },
    { input: '1 2\n', stdout: '', says: 'line 1, column 3: ' },
    { input: '1\n2\n{"x":oops}\n3\n', stdout: '1\n2', says: 'line 3, column 6: ' },
    { input: '{"a":1}\n{"a":"x\ny"}\n', stdout: '{"a":1}', says: 'line 2, column 8: ' },
    { input: '[1,1,\n 2,\n nul]', stdout: '[1,\n 2', says: 'line 3, column 5: ' },
    { input: '[1,2', stdout: '[1', says: 'line 1, column ' },
    { input: '[1] 2', stdout: '[1', says: 'line 1, column 5: ' },
    { input: '"é"\n"é" x', stdout: '"é"', says: 'line 2, column 6: ' },
  ])('$input: $says', async ({ input, stdout, says }) => {
    const ended = await sandbox.run(input, 'json')
    expect(ended).toMatchObject({ code: 1, stdout })
    expect(ended.stderr).toContain(says)
    expect(ended.stderr.split('\n')).toHaveLength(2)
  })

  test('a word that is not JSON is quoted in full', async () => {
    const { stderr } = await sandbox.run('{"a":undefined}', 'json')
    expect(stderr).toContain('line 1, column 6: unexpected undefined (up to column 14)')
  })

  test('two values on one line have their own message', async () => {
    expect((await sandbox.run('{"a":1}{"a":2}', 'json')).stderr).toContain('two values on one line')
  })
})

describe('lines that end with NUL bytes', () => {
  test.each([
    { what: 'line breaks are part of them', input: 'a\nb\0c\0a\nb\0', args: ['-0'], stdout: 'a\nb\0c\0' },
    { what: 'the last one may lack its NUL byte', input: 'a\0b\0a', args: ['--null'], stdout: 'a\0b' },
    { what: 'empty ones count', input: '\0\0a\0', args: ['-0'], stdout: '\0a\0' },
    { what: 'empty ones are dropped with --drop-empty', input: '\0\0a\0', args: ['-0', '--drop-empty'], stdout: 'a\0' },
    {
      what: 'ignoring case and surrounding white space',
      input: ' A\0a\n\0',
      args: ['-0', '-i', '--trim'],
      stdout: 'A\0',
    },
  ])('$what', async ({ input, args, stdout }) => {
    expect(await sandbox.run(input, 'lines', ...args)).toEqual({ code: 0, stdout, stderr: '' })
  })
})

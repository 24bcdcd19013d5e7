/*
 * What the specification and its decisions say, case by case: one table for every way into the engine.
 */
import type { Question } from '../src/core/questions.ts'
import { writeCsv } from './reference/exact.ts'

/** A list, what is asked of it, and the API's `result`. */
export interface Case {
  readonly name: string
  readonly question: Question
  /** Text of lines and rows, JSON text of items. */
  readonly text: string
  /** Lines, CSV, JSON text. */
  readonly result: readonly string[] | string
}

interface LineCase {
  readonly name: string
  readonly text: string
  readonly options?: { trim?: boolean; ignoreCase?: boolean; dropEmpty?: boolean }
  readonly result: readonly string[]
}

/** Lines that are all different: what they are split into comes back. */
const SPLIT: readonly { name: string; text: string; lines: readonly string[] }[] = [
  { name: 'the empty text is one empty line', text: '', lines: [''] },
  { name: 'a break at the very end is followed by an empty line', text: 'a\n', lines: ['a', ''] },
  { name: 'CR LF is one break', text: 'a\r\nb', lines: ['a', 'b'] },
  { name: 'LF CR is two breaks', text: 'a\n\rb', lines: ['a', '', 'b'] },
  { name: 'CR CR LF is two breaks', text: 'a\r\r\nb', lines: ['a', '', 'b'] },
  { name: 'CR alone breaks', text: 'a\rb\r', lines: ['a', 'b', ''] },
  { name: 'all three in one text', text: 'a\r\nb\nc\rd', lines: ['a', 'b', 'c', 'd'] },
  { name: 'U+2028 and U+2029 do not break', text: 'a\u2028b\u2029c', lines: ['a\u2028b\u2029c'] },
  { name: 'U+0085, VT and FF do not break', text: 'a\u0085b\vc\fd', lines: ['a\u0085b\vc\fd'] },
  { name: 'NUL is data', text: 'a\0b\na', lines: ['a\0b', 'a'] },
  { name: 'a byte-order mark is data', text: '\ufeffa\na', lines: ['\ufeffa', 'a'] },
]

const LINES: readonly LineCase[] = [
  { name: 'the first one is kept, the order too', text: 'b\na\nb\nc\na', result: ['b', 'a', 'c'] },
  { name: 'blanks count', text: 'a \na\n a', result: ['a ', 'a', ' a'] },
  { name: 'case counts', text: 'a\nA', result: ['a', 'A'] },
  { name: 'numbers are text', text: '1\n1.0\n01\n1', result: ['1', '1.0', '01'] },
  {
    name: 'names of object members are ordinary',
    text: '__proto__\nconstructor\n__proto__',
    result: ['__proto__', 'constructor'],
  },
  { name: 'precomposed and combining are different', text: '\u00e9\ne\u0301\n\u00e9', result: ['\u00e9', 'e\u0301'] },
  {
    name: 'lone surrogates are different from each other and from U+FFFD',
    text: '\ud800\n\udc00\n\ufffd\n\ud800',
    result: ['\ud800', '\udc00', '\ufffd'],
  },
  {
    name: 'trim: the trimmed line is compared and returned',
    text: ' a\na\t\n\u00a0a\ufeff',
    options: { trim: true },
    result: ['a'],
  },
  {
    name: 'trim leaves U+0085 and U+200B alone',
    text: 'a\u0085\na\u200b\na',
    options: { trim: true },
    result: ['a\u0085', 'a\u200b', 'a'],
  },
  {
    name: 'ignoreCase: the first spelling comes back',
    text: 'Foo\nFOO\nfoo',
    options: { ignoreCase: true },
    result: ['Foo'],
  },
  {
    name: 'ignoreCase is not case folding: ß and SS differ, ß and ẞ do not',
    text: 'ß\nSS\nẞ',
    options: { ignoreCase: true },
    result: ['ß', 'SS'],
  },
  {
    name: 'ignoreCase is locale-independent',
    text: 'I\ni\nı\nİ',
    options: { ignoreCase: true },
    result: ['I', 'ı', 'İ'],
  },
  {
    name: 'ignoreCase knows the final sigma',
    text: 'ΟΔΟΣ\nοδος\nοδοσ',
    options: { ignoreCase: true },
    result: ['ΟΔΟΣ', 'οδοσ'],
  },
  { name: 'ignoreCase beyond the basic plane', text: '𐐀\n𐐨', options: { ignoreCase: true }, result: ['𐐀'] },
  { name: 'dropEmpty leaves lines of blanks', text: 'a\n\n \na', options: { dropEmpty: true }, result: ['a', ' '] },
  {
    name: 'dropEmpty after trim takes them too',
    text: 'a\n\n \na',
    options: { dropEmpty: true, trim: true },
    result: ['a'],
  },
  { name: 'dropEmpty on nothing leaves nothing', text: '\n\n', options: { dropEmpty: true }, result: [] },
]

/** What the rows of a CSV are, cell by cell. */
export const READ: readonly { name: string; csv: string; rows: readonly (readonly string[])[] }[] = [
  { name: 'empty data has no rows', csv: '', rows: [] },
  { name: 'a lone break is one row of one empty cell', csv: '\n', rows: [['']] },
  { name: 'a break at the very end starts no row', csv: 'a\r\n', rows: [['a']] },
  { name: 'a second one is a row of one empty cell', csv: 'a\n\n', rows: [['a'], ['']] },
  { name: 'a blank line in between is a row', csv: 'a\n\nb', rows: [['a'], [''], ['b']] },
  {
    name: 'CR alone breaks rows',
    csv: 'a,1\rb,2\r',
    rows: [
      ['a', '1'],
      ['b', '2'],
    ],
  },
  { name: 'all breaks in one text', csv: 'a\r\nb\rc\nd', rows: [['a'], ['b'], ['c'], ['d']] },
  { name: 'LF CR is two breaks', csv: 'a\n\rb', rows: [['a'], [''], ['b']] },
  { name: 'U+2028 and U+0085 break nothing', csv: 'a\u2028b\u0085c', rows: [['a\u2028b\u0085c']] },
  {
    name: 'a comma at the end opens an empty cell',
    csv: 'a,\nb,',
    rows: [
      ['a', ''],
      ['b', ''],
    ],
  },
  { name: 'a comma alone is two empty cells', csv: ',', rows: [['', '']] },
  { name: 'ragged rows stay ragged', csv: 'a\nb,c,d\ne,f', rows: [['a'], ['b', 'c', 'd'], ['e', 'f']] },
  { name: 'a leading byte-order mark goes', csv: '\ufeffa,b', rows: [['a', 'b']] },
  { name: 'once', csv: '\ufeff\ufeffa', rows: [['\ufeffa']] },
  { name: 'also in front of a quote', csv: '\ufeff"a,b"', rows: [['a,b']] },
  { name: 'and alone it is empty data', csv: '\ufeff', rows: [] },
  { name: 'elsewhere it is data', csv: 'a\n\ufeffb,\ufeff', rows: [['a'], ['\ufeffb', '\ufeff']] },
  { name: 'no other delimiter', csv: 'a;b\tc|d', rows: [['a;b\tc|d']] },
  { name: 'blanks are data', csv: ' a , b ', rows: [[' a ', ' b ']] },
  { name: 'quotes hold commas and breaks', csv: '"a,b","c\r\nd","e\rf"', rows: [['a,b', 'c\r\nd', 'e\rf']] },
  { name: 'a doubled quote is one', csv: '"a ""b"" c","""",""""""', rows: [['a "b" c', '"', '""']] },
  { name: 'an empty quoted cell is empty', csv: '"",a\n""', rows: [['', 'a'], ['']] },
  {
    name: 'a quote inside a bare cell is text',
    csv: `6'5",10\na""b,"`,
    rows: [
      [`6'5"`, '10'],
      ['a""b', ''],
    ],
  },
  { name: 'a blank in front of the quote makes the cell bare', csv: '1, "x, y"', rows: [['1', ' "x', ' y"']] },
  { name: 'an unterminated quote runs to the end', csv: 'a\n1,"b\n2,c', rows: [['a'], ['1', 'b\n2,c']] },
  { name: 'breaks at the end belong to it', csv: '"a\n\n', rows: [['a\n\n']] },
  { name: 'a doubled quote at the end closes nothing', csv: '"a""', rows: [['a"']] },
  { name: 'three close', csv: '"a"""', rows: [['a"']] },
  { name: 'a lone quote is an empty cell', csv: '"', rows: [['']] },
  { name: 'two quotes are an empty cell, three one quote', csv: '""\n"""', rows: [[''], ['"']] },
  {
    name: 'text behind a closing quote makes the cell bare',
    csv: '1,"C" Street,2\n3,4',
    rows: [
      ['1', '"C" Street', '2'],
      ['3', '4'],
    ],
  },
  { name: 'with commas and breaks that the quotes held', csv: '"a,\nb"c,d\ne', rows: [['"a,\nb"c', 'd'], ['e']] },
  { name: 'and doubled quotes as they stand', csv: '"a""b"c"d",e', rows: [['"a""b"c"d"', 'e']] },
  { name: 'a blank behind the closing quote as well', csv: '"a" ,b', rows: [['"a" ', 'b']] },
  { name: 'quotes behind it open nothing', csv: '"a"b"\n"c,d', rows: [['"a"b"'], ['c,d']] },
  { name: 'NUL and control characters are data', csv: 'a\0b,\u0001\v\f', rows: [['a\0b', '\u0001\v\f']] },
  { name: 'lone surrogates are data', csv: '\ud800,"\udc00"', rows: [['\ud800', '\udc00']] },
]

interface RowCase {
  readonly name: string
  readonly csv: string
  readonly given?: { keyColumns?: readonly number[]; hasHeader?: boolean; caseSensitive?: boolean }
  readonly result: string
}

const WRITTEN: readonly RowCase[] = [
  { name: 'rows are joined by LF, without one at the end', csv: 'a\r\nb\rc\r\n', result: 'a\nb\nc' },
  { name: 'needless quotes are not written back', csv: '"a","b c"\n" d "', result: 'a,b c\n d ' },
  {
    name: 'commas, quotes, CR and LF are quoted',
    csv: '"a,b","c""d"\n"e\rf","g\nh"',
    result: '"a,b","c""d"\n"e\rf","g\nh"',
  },
  { name: 'a quote in a bare cell is quoted and doubled', csv: '5" pipe', result: '"5"" pipe"' },
  { name: 'formulas and leading zeros are untouched', csv: '=1+1,007,+49,1e5', result: '=1+1,007,+49,1e5' },
  { name: 'a row of one empty cell at the end is a break at the end', csv: 'h\na\n\n', result: 'h\na\n' },
]

const ROWS: readonly RowCase[] = [
  { name: 'the header takes no part', csv: 'a\na\na', result: 'a\na' },
  { name: 'without header the first row does', csv: 'a\na', given: { hasHeader: false }, result: 'a' },
  { name: 'a header alone comes back alone', csv: 'a,b\r\n', result: 'a,b' },
  { name: 'a blank first line is a header', csv: '\n1\n1', result: '\n1' },
  { name: 'rows compare by cells: quotes make no difference', csv: 'h\n"a","1"\na,1', result: 'h\na,1' },
  { name: 'rows of different numbers of cells differ', csv: 'h\na\na,\na,,', result: 'h\na\na,\na,,' },
  { name: 'one cell with a comma is not two cells', csv: 'h\n"a,b"\na,b', result: 'h\n"a,b"\na,b' },
  { name: 'a doubled quote is not two', csv: 'h\n"""",b\n"""""",b', result: 'h\n"""",b\n"""""",b' },
  { name: 'a break in a cell counts as it is', csv: 'h\n"a\r\nb"\n"a\nb"\n"a\r\nb"', result: 'h\n"a\r\nb"\n"a\nb"' },
  { name: 'a key column', csv: 'h,i\n1,a\n2,b\n1,c', given: { keyColumns: [0] }, result: 'h,i\n1,a\n2,b' },
  {
    name: 'two key columns are not joined',
    csv: 'h,i\na,bc\nab,c',
    given: { keyColumns: [0, 1] },
    result: 'h,i\na,bc\nab,c',
  },
  {
    name: 'whatever the cells hold',
    csv: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
    given: { keyColumns: [0, 1] },
    result: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
  },
  {
    name: 'separators of other tools are not separators',
    csv: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
    given: { keyColumns: [0, 1] },
    result: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
  },
  {
    name: 'a missing cell is an empty one',
    csv: 'h,i\n1\n1,\n1,x',
    given: { keyColumns: [1] },
    result: 'h,i\n1\n1,x',
  },
  {
    name: 'so are several',
    csv: 'h\n1,a\n1,a,\n1,a,,\n1,a,,b',
    given: { keyColumns: [3, 2, 1] },
    result: 'h\n1,a\n1,a,,b',
  },
  {
    name: 'an empty cell in front counts by its place',
    csv: 'h\n,a\na,',
    given: { keyColumns: [0, 1] },
    result: 'h\n,a\na,',
  },
  { name: 'a column beyond all rows makes all alike', csv: 'h\n1\n2,3', given: { keyColumns: [9] }, result: 'h\n1' },
  {
    name: 'beyond all numbers too',
    csv: 'h\n1\n2',
    given: { keyColumns: [Number.POSITIVE_INFINITY, 1e300] },
    result: 'h\n1',
  },
  {
    name: 'the order of key columns makes no difference',
    csv: 'h\n1,2\n2,1\n1,2',
    given: { keyColumns: [1, 0] },
    result: 'h\n1,2\n2,1',
  },
  { name: 'a column named twice counts once', csv: 'h\n1,2\n1,3', given: { keyColumns: [0, 0] }, result: 'h\n1,2' },
  { name: 'case counts', csv: 'h\nA\na', result: 'h\nA\na' },
  {
    name: 'unless told otherwise: the first spelling comes back',
    csv: 'h\nA@X.io\na@x.IO',
    given: { caseSensitive: false },
    result: 'h\nA@X.io',
  },
  {
    name: 'each cell is lower-cased for itself: a sigma at its end is final',
    csv: 'h\nΑΣ,Β\nας,β\nασ,β',
    given: { caseSensitive: false },
    result: 'h\nΑΣ,Β\nασ,β',
  },
  { name: 'the header is as it was', csv: 'A,"B"\na,b', given: { caseSensitive: false }, result: 'A,B\na,b' },
]

/** Items that are all different: they come back as the very text that they were. */
const KEPT: readonly { name: string; text: string }[] = [
  { name: 'integers beyond 2^53', text: '[9007199254740993, 9007199254740992]' },
  { name: 'numbers beyond every double', text: '[1e400, -1E+400, 1e-400]' },
  { name: 'the spelling of numbers', text: '[1.50, -0, 1E0]' },
  { name: 'members named like integers', text: '[{"2":1,"1":2}]' },
  { name: 'repeated members', text: '[{"a":1,"a":2}]' },
  { name: 'members of every object', text: '[{"__proto__":{"a":1},"constructor":2}]' },
  { name: 'lone surrogates and odd escapes', text: String.raw`["\ud800", "\u0041\/", "\udc00\ud800"]` },
  { name: 'white space inside an item', text: '[{ "a" :\n[ 1,\t2 ] }]' },
]

interface ItemCase {
  readonly name: string
  readonly text: string
  readonly key?: string
  readonly result: string
}

const ITEMS: readonly ItemCase[] = [
  {
    name: 'white space between tokens does not count',
    text: '[{"a":[1, 2]},{ "a" :\r\n\t[1,2] }]',
    result: '[{"a":[1, 2]}]',
  },
  { name: 'inside strings it does', text: '["a b","ab"]', result: '["a b","ab"]' },
  { name: 'nor does the spelling of strings', text: String.raw`["é/","\u00e9\/","\u00E9\u002f"]`, result: '["é/"]' },
  {
    name: 'an escaped backslash is not an escape',
    text: String.raw`["\\u0041","A","\u0041","\\n","\n"]`,
    result: String.raw`["\\u0041","A","\\n","\n"]`,
  },
  {
    name: 'quotes and backslashes',
    text: String.raw`["\"","\u0022","\\","\u005c","\\\""]`,
    result: String.raw`["\"","\\","\\\""]`,
  },
  {
    name: 'two halves of a character are that character',
    text: String.raw`["😀","\ud83d\ude00","\ud83d"]`,
    result: String.raw`["😀","\ud83d"]`,
  },
  {
    name: 'lone surrogates differ from each other and from U+FFFD',
    text: String.raw`["\ud800","\uD800","\udc00","\ufffd"]`,
    result: String.raw`["\ud800","\udc00","\ufffd"]`,
  },
  {
    name: 'member names by what they say',
    text: String.raw`[{"\u0061":1},{"a":1}]`,
    result: String.raw`[{"\u0061":1}]`,
  },
  { name: 'member order counts', text: '[{"a":1,"b":2},{"b":2,"a":1}]', result: '[{"a":1,"b":2},{"b":2,"a":1}]' },
  {
    name: 'also of members named like integers',
    text: '[{"2":0,"1":0},{"1":0,"2":0}]',
    result: '[{"2":0,"1":0},{"1":0,"2":0}]',
  },
  {
    name: 'numbers by their value, wherever they stand',
    text: '[{"a":[1]},{"a":[1.0]},{"a":[1e0]},{"a":[10e-1]}]',
    result: '[{"a":[1]}]',
  },
  {
    name: 'no number is a string',
    text: '[1,"1",true,"true",null,"null",[],{},""]',
    result: '[1,"1",true,"true",null,"null",[],{},""]',
  },
  {
    name: 'numbers that one double stands for differ',
    text: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
    result: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
  },
  { name: 'an array is not its items', text: '[[1],[[1]],1,[1,2],[12]]', result: '[[1],[[1]],1,[1,2],[12]]' },
  { name: 'whole items see repeated members', text: '[{"a":1,"a":2},{"a":2}]', result: '[{"a":1,"a":2},{"a":2}]' },
  { name: 'precomposed and combining are different', text: '["é","e\u0301"]', result: '["é","e\u0301"]' },
  { name: 'no items', text: ' [ ] ', result: '[]' },
]

const PATHS: readonly ItemCase[] = [
  {
    name: 'names a member',
    key: 'id',
    text: '[{"id":1,"v":1},{"id":1,"v":2},{"id":2}]',
    result: '[{"id":1,"v":1},{"id":2}]',
  },
  {
    name: 'goes deeper',
    key: 'u.e',
    text: '[{"u":{"e":1}},{"x":{"e":2},"u":{"e":1}},{"u":{"e":2}}]',
    result: '[{"u":{"e":1}},{"u":{"e":2}}]',
  },
  {
    name: 'the values compare as items do',
    key: 'a',
    text: String.raw`[{"a":[1, "A"]},{"a":[1.0,"\u0041"]}]`,
    result: '[{"a":[1, "A"]}]',
  },
  { name: 'unresolved items share one key', key: 'a', text: '[{"b":1},5,"a",null,[],{"c":2}]', result: '[{"b":1}]' },
  {
    name: 'null is a value, so are false, 0, "" and []',
    key: 'a',
    text: '[{"a":null},{},{"a":false},{"a":0},{"a":""},{"a":[]},{"a":null}]',
    result: '[{"a":null},{},{"a":false},{"a":0},{"a":""},{"a":[]}]',
  },
  {
    name: 'a path through null does not resolve',
    key: 'a.b',
    text: '[{"a":null},{"a":1},{"a":{"b":null}}]',
    result: '[{"a":null},{"a":{"b":null}}]',
  },
  { name: 'digits name an element', key: '1', text: '[[1,2],[3,2],[2],{"1":2}]', result: '[[1,2],[2]]' },
  { name: 'and a member', key: '0.0', text: '[{"0":["x"]},[{"0":"x"}],[["x"]]]', result: '[{"0":["x"]}]' },
  {
    name: 'not with a zero in front, a sign or a point',
    key: '01',
    text: '[[1,2],[3,4],{"01":5}]',
    result: '[[1,2],{"01":5}]',
  },
  { name: 'nor a name', key: 'length', text: '[[1,2],[3],"ab",{"length":2}]', result: '[[1,2],{"length":2}]' },
  {
    name: 'an element of many digits is never there',
    key: '9007199254740993',
    text: '[[1],[2],{"9007199254740993":1}]',
    result: '[[1],{"9007199254740993":1}]',
  },
  { name: 'nothing is inherited', key: 'constructor.name', text: '[{"a":1},{"b":2},[]]', result: '[{"a":1}]' },
  {
    name: 'an own __proto__ is a member',
    key: '__proto__',
    text: '[{"__proto__":1},{"__proto__":2},{}]',
    result: '[{"__proto__":1},{"__proto__":2},{}]',
  },
  {
    name: 'an empty segment names the member ""',
    key: '.',
    text: '[{"":{"":1}},{"":{"":1,"a":2}},{"":{}}]',
    result: '[{"":{"":1}},{"":{}}]',
  },
  {
    name: 'names by what they say',
    key: 'a\n',
    text: String.raw`[{"a\n":1},{"\u0061\u000a":1},{"a\\n":1}]`,
    result: String.raw`[{"a\n":1},{"a\\n":1}]`,
  },
  {
    name: 'a name in the path is taken as it stands',
    key: String.raw`a\n`,
    text: String.raw`[{"a\n":1},{"a\n":2},{"a\\n":1}]`,
    result: String.raw`[{"a\n":1},{"a\\n":1}]`,
  },
  {
    name: 'names outside ASCII',
    key: 'größe.😀',
    text: String.raw`[{"größe":{"😀":1}},{"gr\u00f6\u00dfe":{"\ud83d\ude00":1}}]`,
    result: '[{"größe":{"😀":1}}]',
  },
  {
    name: 'of a repeated member the last one counts',
    key: 'a',
    text: '[{"a":1,"a":2},{"a":2},{"a":1}]',
    result: '[{"a":1,"a":2},{"a":1}]',
  },
  {
    name: 'at every level, also when it ends the path',
    key: 'a.b',
    text: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1,"b":2}},{"a":{"b":1},"a":3},{}]',
    result: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1},"a":3}]',
  },
  {
    name: 'a longer or shorter name is another',
    key: 'ab',
    text: '[{"a":1,"abc":2},{"abc":3},{"ab":1}]',
    result: '[{"a":1,"abc":2},{"ab":1}]',
  },
  {
    name: 'deeper namesakes are others',
    key: 'a',
    text: '[{"b":{"a":1}},{"b":[{"a":2}]},{"b":{"a":9},"a":3}]',
    result: '[{"b":{"a":1}},{"b":{"a":9},"a":3}]',
  },
]

/** Spellings of one number, none of another. */
export const NUMBERS: readonly { name: string; numbers: readonly string[] }[] = [
  {
    name: 'zero has one form',
    numbers: ['0', '-0', '0.0', '-0.000', '0e5', '0E-400', '0e99999999999999999999'],
  },
  { name: 'one', numbers: ['1', '1.0', '1e0', '10e-1', '0.1e1', '1E+0', '1e-0', '100e-2', '0.001e3'] },
  { name: 'minus', numbers: ['-1.50', '-15e-1', '-0.15E+1'] },
  {
    name: 'beyond 2^53',
    numbers: ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'],
  },
  { name: 'twenty-one digits', numbers: ['1e20', '100000000000000000000'] },
  { name: 'more', numbers: ['1e21', '1000000000000000000000', '0.1e22'] },
  {
    name: 'digits behind a long whole part',
    numbers: ['1234567890123456789012.5'],
  },
  { name: 'small', numbers: ['0.000001', '1e-6', '10E-7'] },
  { name: 'smaller', numbers: ['0.0000001', '1e-7', '0.00000010'] },
  { name: 'no double holds it', numbers: ['1e400', '10e399', '0.01e402', `1${'0'.repeat(400)}`] },
  { name: 'nor this', numbers: ['1e-400', `0.${'0'.repeat(399)}1`] },
  {
    name: 'exponents beyond all numbers',
    numbers: ['1e99999999999999999999', '10e99999999999999999998', '0.1e100000000000000000000'],
  },
  {
    name: 'and below',
    numbers: ['1e-99999999999999999999', '10e-100000000000000000000', '0.1e-99999999999999999998'],
  },
  { name: 'zeros in front of an exponent', numbers: ['1e0000000000000000000000005', '100000'] },
  {
    name: 'a carry through all its digits',
    numbers: ['1e999999999999999', '0.1e1000000000000000', '10e999999999999998'],
  },
  { name: 'and back', numbers: ['0.1e-999999999999999', '1e-1000000000000000'] },
]

function lines({ name, text, options, result }: LineCase): Case {
  const all = { trim: false, ignoreCase: false, dropEmpty: false, ...options }
  return { name, text, question: { mode: 'lines', options: all }, result }
}

function rows({ name, csv, given, result }: RowCase): Case {
  const all = { keyColumns: [], hasHeader: true, caseSensitive: true, fuzzy: false, threshold: 0.9, ...given }
  return { name, text: csv, question: { mode: 'rows', options: all }, result }
}

function items({ name, text, key = '', result }: ItemCase): Case {
  return { name, text, question: { mode: 'json', options: { key } }, result }
}

/** Rows that are read: those that have the same cells as an earlier one are its duplicates. */
function read({ name, csv, rows: cells }: (typeof READ)[number]): RowCase {
  const distinct = cells.filter((row, i) => cells.findIndex((other) => other.join('\0') === row.join('\0')) === i)
  return { name, csv, given: { hasHeader: false }, result: writeCsv(distinct) }
}

export const CASES: readonly Case[] = [
  ...SPLIT.map(({ lines: result, ...split }) => lines({ ...split, result })),
  ...LINES.map(lines),
  ...READ.map(read).map(rows),
  ...WRITTEN.map(rows),
  ...ROWS.map(rows),
  ...KEPT.map((kept) =>
    items({ ...kept, result: kept.text.includes('\n') ? kept.text : kept.text.replaceAll(', ', ',') }),
  ),
  ...ITEMS.map(items),
  ...PATHS.map(items),
]

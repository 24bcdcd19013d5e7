/*
 * What the specification requires, case by case: one table for all ways to call the engine.
 */
import type { Question } from '../src/modes/index.ts'
import { writeCsv } from './reference/exact.ts'

/** A list, the mode and options, and the API's `result`. */
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

/** Lines that are all different, so that the result is how the text is split. */
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
  { name: 'the first one and the order are kept', text: 'b\na\nb\nc\na', result: ['b', 'a', 'c'] },
  { name: 'spaces are significant', text: 'a \na\n a', result: ['a ', 'a', ' a'] },
  { name: 'case is significant', text: 'a\nA', result: ['a', 'A'] },
  { name: 'numbers are compared as text', text: '1\n1.0\n01\n1', result: ['1', '1.0', '01'] },
  {
    name: 'names of members of Object.prototype are ordinary lines',
    text: '__proto__\nconstructor\n__proto__',
    result: ['__proto__', 'constructor'],
  },
  {
    name: 'precomposed and combining characters differ',
    text: '\u00e9\ne\u0301\n\u00e9',
    result: ['\u00e9', 'e\u0301'],
  },
  {
    name: 'lone surrogates differ from each other and from U+FFFD',
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
    name: 'ignoreCase handles the final sigma',
    text: 'ΟΔΟΣ\nοδος\nοδοσ',
    options: { ignoreCase: true },
    result: ['ΟΔΟΣ', 'οδοσ'],
  },
  {
    name: 'ignoreCase beyond the Basic Multilingual Plane',
    text: '𐐀\n𐐨',
    options: { ignoreCase: true },
    result: ['𐐀'],
  },
  { name: 'dropEmpty keeps lines of spaces', text: 'a\n\n \na', options: { dropEmpty: true }, result: ['a', ' '] },
  {
    name: 'dropEmpty with trim drops lines of spaces too',
    text: 'a\n\n \na',
    options: { dropEmpty: true, trim: true },
    result: ['a'],
  },
  { name: 'dropEmpty on empty lines only leaves nothing', text: '\n\n', options: { dropEmpty: true }, result: [] },
]

/** CSV and the cells of its rows. */
export const READ: readonly { name: string; csv: string; rows: readonly (readonly string[])[] }[] = [
  { name: 'empty data has no rows', csv: '', rows: [] },
  { name: 'a lone line break is one row of one empty cell', csv: '\n', rows: [['']] },
  { name: 'a line break at the very end does not start a row', csv: 'a\r\n', rows: [['a']] },
  { name: 'a second line break at the end makes a row of one empty cell', csv: 'a\n\n', rows: [['a'], ['']] },
  { name: 'a blank line in between is a row', csv: 'a\n\nb', rows: [['a'], [''], ['b']] },
  {
    name: 'CR alone ends a row',
    csv: 'a,1\rb,2\r',
    rows: [
      ['a', '1'],
      ['b', '2'],
    ],
  },
  { name: 'all line breaks in one text', csv: 'a\r\nb\rc\nd', rows: [['a'], ['b'], ['c'], ['d']] },
  { name: 'LF CR is two line breaks', csv: 'a\n\rb', rows: [['a'], [''], ['b']] },
  { name: 'U+2028 and U+0085 are not line breaks', csv: 'a\u2028b\u0085c', rows: [['a\u2028b\u0085c']] },
  {
    name: 'a comma at the end of a row is followed by an empty cell',
    csv: 'a,\nb,',
    rows: [
      ['a', ''],
      ['b', ''],
    ],
  },
  { name: 'a comma alone is two empty cells', csv: ',', rows: [['', '']] },
  { name: 'ragged rows stay ragged', csv: 'a\nb,c,d\ne,f', rows: [['a'], ['b', 'c', 'd'], ['e', 'f']] },
  { name: 'a leading byte-order mark is removed', csv: '\ufeffa,b', rows: [['a', 'b']] },
  { name: 'only one byte-order mark is removed', csv: '\ufeff\ufeffa', rows: [['\ufeffa']] },
  { name: 'a byte-order mark is removed in front of a quote', csv: '\ufeff"a,b"', rows: [['a,b']] },
  { name: 'a byte-order mark alone is empty data', csv: '\ufeff', rows: [] },
  { name: 'a byte-order mark elsewhere is data', csv: 'a\n\ufeffb,\ufeff', rows: [['a'], ['\ufeffb', '\ufeff']] },
  { name: 'only the comma is a delimiter', csv: 'a;b\tc|d', rows: [['a;b\tc|d']] },
  { name: 'spaces are data', csv: ' a , b ', rows: [[' a ', ' b ']] },
  {
    name: 'quoted cells may contain commas and line breaks',
    csv: '"a,b","c\r\nd","e\rf"',
    rows: [['a,b', 'c\r\nd', 'e\rf']],
  },
  { name: 'a doubled quote is one quote', csv: '"a ""b"" c","""",""""""', rows: [['a "b" c', '"', '""']] },
  { name: 'an empty quoted cell is empty', csv: '"",a\n""', rows: [['', 'a'], ['']] },
  {
    name: 'a quote inside an unquoted cell is text',
    csv: `6'5",10\na""b,"`,
    rows: [
      [`6'5"`, '10'],
      ['a""b', ''],
    ],
  },
  { name: 'a space before the quote makes the cell unquoted', csv: '1, "x, y"', rows: [['1', ' "x', ' y"']] },
  { name: 'an unterminated quote runs to the end', csv: 'a\n1,"b\n2,c', rows: [['a'], ['1', 'b\n2,c']] },
  { name: 'line breaks at the end belong to an unterminated cell', csv: '"a\n\n', rows: [['a\n\n']] },
  { name: 'a doubled quote at the end does not close the cell', csv: '"a""', rows: [['a"']] },
  { name: 'three quotes at the end close the cell', csv: '"a"""', rows: [['a"']] },
  { name: 'a lone quote is an empty cell', csv: '"', rows: [['']] },
  { name: 'two quotes are an empty cell, three quotes are one quote', csv: '""\n"""', rows: [[''], ['"']] },
  {
    name: 'text after a closing quote makes the cell unquoted',
    csv: '1,"C" Street,2\n3,4',
    rows: [
      ['1', '"C" Street', '2'],
      ['3', '4'],
    ],
  },
  {
    name: 'such a cell keeps the commas and line breaks between its quotes',
    csv: '"a,\nb"c,d\ne',
    rows: [['"a,\nb"c', 'd'], ['e']],
  },
  { name: 'such a cell keeps its doubled quotes', csv: '"a""b"c"d",e', rows: [['"a""b"c"d"', 'e']] },
  { name: 'a space after the closing quote makes the cell unquoted', csv: '"a" ,b', rows: [['"a" ', 'b']] },
  { name: 'further quotes in such a cell are text', csv: '"a"b"\n"c,d', rows: [['"a"b"'], ['c,d']] },
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
  { name: 'a quote in an unquoted cell is doubled and the cell quoted', csv: '5" pipe', result: '"5"" pipe"' },
  { name: 'formulas and leading zeros are unchanged', csv: '=1+1,007,+49,1e5', result: '=1+1,007,+49,1e5' },
  { name: 'a last row of one empty cell is written as a final line break', csv: 'h\na\n\n', result: 'h\na\n' },
]

const ROWS: readonly RowCase[] = [
  { name: 'the header is not compared', csv: 'a\na\na', result: 'a\na' },
  { name: 'without a header the first row is compared', csv: 'a\na', given: { hasHeader: false }, result: 'a' },
  { name: 'a header alone comes back alone', csv: 'a,b\r\n', result: 'a,b' },
  { name: 'an empty first line is a header', csv: '\n1\n1', result: '\n1' },
  { name: 'rows are compared by cells: quotes make no difference', csv: 'h\n"a","1"\na,1', result: 'h\na,1' },
  { name: 'rows of different numbers of cells differ', csv: 'h\na\na,\na,,', result: 'h\na\na,\na,,' },
  { name: 'one cell with a comma is not two cells', csv: 'h\n"a,b"\na,b', result: 'h\n"a,b"\na,b' },
  { name: 'one quote and two quotes differ', csv: 'h\n"""",b\n"""""",b', result: 'h\n"""",b\n"""""",b' },
  {
    name: 'different line breaks in a cell differ',
    csv: 'h\n"a\r\nb"\n"a\nb"\n"a\r\nb"',
    result: 'h\n"a\r\nb"\n"a\nb"',
  },
  { name: 'a key column', csv: 'h,i\n1,a\n2,b\n1,c', given: { keyColumns: [0] }, result: 'h,i\n1,a\n2,b' },
  {
    name: 'two key columns are not joined',
    csv: 'h,i\na,bc\nab,c',
    given: { keyColumns: [0, 1] },
    result: 'h,i\na,bc\nab,c',
  },
  {
    name: 'two key columns with commas and quotes are not joined',
    csv: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
    given: { keyColumns: [0, 1] },
    result: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
  },
  {
    name: 'separators that other tools use to join keys are ordinary text',
    csv: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
    given: { keyColumns: [0, 1] },
    result: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
  },
  {
    name: 'a missing cell equals an empty one',
    csv: 'h,i\n1\n1,\n1,x',
    given: { keyColumns: [1] },
    result: 'h,i\n1\n1,x',
  },
  {
    name: 'several missing cells equal empty ones',
    csv: 'h\n1,a\n1,a,\n1,a,,\n1,a,,b',
    given: { keyColumns: [3, 2, 1] },
    result: 'h\n1,a\n1,a,,b',
  },
  {
    name: 'the position of an empty cell is significant',
    csv: 'h\n,a\na,',
    given: { keyColumns: [0, 1] },
    result: 'h\n,a\na,',
  },
  {
    name: 'with a key column that no row has, all rows are equal',
    csv: 'h\n1\n2,3',
    given: { keyColumns: [9] },
    result: 'h\n1',
  },
  {
    name: 'the same for column numbers beyond all indices',
    csv: 'h\n1\n2',
    given: { keyColumns: [Number.MAX_VALUE, 1e300] },
    result: 'h\n1',
  },
  {
    name: 'the order of key columns makes no difference: all are compared',
    csv: 'h,i,j\n1,x,a\n2,x,b\n1,y,c\n1,x,d',
    given: { keyColumns: [1, 0] },
    result: 'h,i,j\n1,x,a\n2,x,b\n1,y,c',
  },
  { name: 'a column given twice counts once', csv: 'h\n1,2\n1,3', given: { keyColumns: [0, 0] }, result: 'h\n1,2' },
  { name: 'case is significant', csv: 'h\nA\na', result: 'h\nA\na' },
  {
    name: 'caseSensitive false: the first spelling comes back',
    csv: 'h\nA@X.io\na@x.IO',
    given: { caseSensitive: false },
    result: 'h\nA@X.io',
  },
  {
    name: 'each cell is lower-cased separately: a sigma at its end is final',
    csv: 'h\nΑΣ,Β\nας,β\nασ,β',
    given: { caseSensitive: false },
    result: 'h\nΑΣ,Β\nασ,β',
  },
  { name: 'the header keeps its case', csv: 'A,"B"\na,b', given: { caseSensitive: false }, result: 'A,B\na,b' },
]

/** Items that are all different: each comes back as the same text. */
const KEPT: readonly { name: string; text: string }[] = [
  { name: 'integers beyond 2^53', text: '[9007199254740993, 9007199254740992]' },
  { name: 'numbers beyond every double', text: '[1e400, -1E+400, 1e-400]' },
  { name: 'the spelling of numbers', text: '[1.50, -0, 1E0]' },
  { name: 'the order of members named like integers', text: '[{"2":1,"1":2}]' },
  { name: 'repeated members', text: '[{"a":1,"a":2}]' },
  { name: 'members named like those of Object.prototype', text: '[{"__proto__":{"a":1},"constructor":2}]' },
  { name: 'lone surrogates and unusual escapes', text: String.raw`["\ud800", "\u0041\/", "\udc00\ud800"]` },
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
    name: 'white space between tokens is not significant',
    text: '[{"a":[1, 2]},{ "a" :\r\n\t[1,2] }]',
    result: '[{"a":[1, 2]}]',
  },
  { name: 'white space inside strings is significant', text: '["a b","ab"]', result: '["a b","ab"]' },
  {
    name: 'the spelling of strings is not significant',
    text: String.raw`["é/","\u00e9\/","\u00E9\u002f"]`,
    result: '["é/"]',
  },
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
    name: 'an escaped surrogate pair equals the character',
    text: String.raw`["😀","\ud83d\ude00","\ud83d"]`,
    result: String.raw`["😀","\ud83d"]`,
  },
  {
    name: 'lone surrogates differ from each other and from U+FFFD',
    text: String.raw`["\ud800","\uD800","\udc00","\ufffd"]`,
    result: String.raw`["\ud800","\udc00","\ufffd"]`,
  },
  {
    name: 'member names are compared by value, not by spelling',
    text: String.raw`[{"\u0061":1},{"a":1}]`,
    result: String.raw`[{"\u0061":1}]`,
  },
  {
    name: 'the order of members is significant',
    text: '[{"a":1,"b":2},{"b":2,"a":1}]',
    result: '[{"a":1,"b":2},{"b":2,"a":1}]',
  },
  {
    name: 'the order of members named like integers is significant',
    text: '[{"2":0,"1":0},{"1":0,"2":0}]',
    result: '[{"2":0,"1":0},{"1":0,"2":0}]',
  },
  {
    name: 'numbers are compared by value, at any depth',
    text: '[{"a":[1]},{"a":[1.0]},{"a":[1e0]},{"a":[10e-1]}]',
    result: '[{"a":[1]}]',
  },
  {
    name: 'values of different types differ',
    text: '[1,"1",true,"true",null,"null",[],{},""]',
    result: '[1,"1",true,"true",null,"null",[],{},""]',
  },
  {
    name: 'numbers that round to the same double differ',
    text: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
    result: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
  },
  { name: 'an array differs from its items', text: '[[1],[[1]],1,[1,2],[12]]', result: '[[1],[[1]],1,[1,2],[12]]' },
  {
    name: 'repeated members are significant when whole items are compared',
    text: '[{"a":1,"a":2},{"a":2}]',
    result: '[{"a":1,"a":2},{"a":2}]',
  },
  { name: 'precomposed and combining characters differ', text: '["é","e\u0301"]', result: '["é","e\u0301"]' },
  { name: 'no items', text: ' [ ] ', result: '[]' },
]

const PATHS: readonly ItemCase[] = [
  {
    name: 'a path names a member',
    key: 'id',
    text: '[{"id":1,"v":1},{"id":1,"v":2},{"id":2}]',
    result: '[{"id":1,"v":1},{"id":2}]',
  },
  {
    name: 'a path names a member of a member',
    key: 'u.e',
    text: '[{"u":{"e":1}},{"x":{"e":2},"u":{"e":1}},{"u":{"e":2}}]',
    result: '[{"u":{"e":1}},{"u":{"e":2}}]',
  },
  {
    name: 'values at a path are compared like items',
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
  { name: 'digits name an element of an array', key: '1', text: '[[1,2],[3,2],[2],{"1":2}]', result: '[[1,2],[2]]' },
  {
    name: 'digits also name a member of an object',
    key: '0.0',
    text: '[{"0":["x"]},[{"0":"x"}],[["x"]]]',
    result: '[{"0":["x"]}]',
  },
  {
    name: 'digits with a leading zero do not name an element',
    key: '01',
    text: '[[1,2],[3,4],{"01":5}]',
    result: '[[1,2],{"01":5}]',
  },
  {
    name: 'length does not name anything in an array or a string',
    key: 'length',
    text: '[[1,2],[3],"ab",{"length":2}]',
    result: '[[1,2],{"length":2}]',
  },
  {
    name: 'an element number beyond 2^53 does not resolve',
    key: '9007199254740993',
    text: '[[1],[2],{"9007199254740993":1}]',
    result: '[[1],{"9007199254740993":1}]',
  },
  {
    name: 'inherited members do not resolve',
    key: 'constructor.name',
    text: '[{"a":1},{"b":2},[]]',
    result: '[{"a":1}]',
  },
  {
    name: 'an own __proto__ is an ordinary member',
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
    name: 'names are compared by value, not by spelling',
    key: 'a\n',
    text: String.raw`[{"a\n":1},{"\u0061\u000a":1},{"a\\n":1}]`,
    result: String.raw`[{"a\n":1},{"a\\n":1}]`,
  },
  {
    name: 'escapes in a path are not interpreted',
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
    name: 'the last of repeated members counts',
    key: 'a',
    text: '[{"a":1,"a":2},{"a":2},{"a":1}]',
    result: '[{"a":1,"a":2},{"a":1}]',
  },
  {
    name: 'the last of repeated members counts at every level, even if the path does not resolve in it',
    key: 'a.b',
    text: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1,"b":2}},{"a":{"b":1},"a":3},{}]',
    result: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1},"a":3}]',
  },
  {
    name: 'longer and shorter names differ',
    key: 'ab',
    text: '[{"a":1,"abc":2},{"abc":3},{"ab":1}]',
    result: '[{"a":1,"abc":2},{"ab":1}]',
  },
  {
    name: 'characters whose bytes are next to those of surrogates: escaped and plain are the same, surrogates differ',
    text: '["\\ue800","\ue800","\\ud800","\\uD800","\\ud7ff","\ud7ff","\\udfff"]',
    result: '["\\ue800","\\ud800","\\ud7ff","\\udfff"]',
  },
  {
    name: 'members of the same name at another depth do not count',
    key: 'a',
    text: '[{"b":{"a":1}},{"b":[{"a":2}]},{"b":{"a":9},"a":3}]',
    result: '[{"b":{"a":1}},{"b":{"a":9},"a":3}]',
  },
]

/** Different spellings of one number each. */
export const NUMBERS: readonly { name: string; numbers: readonly string[] }[] = [
  {
    name: 'zero has one form',
    numbers: ['0', '-0', '0.0', '-0.000', '0e5', '0E-400', '0e99999999999999999999'],
  },
  { name: 'one', numbers: ['1', '1.0', '1e0', '10e-1', '0.1e1', '1E+0', '1e-0', '100e-2', '0.001e3'] },
  { name: 'a negative number', numbers: ['-1.50', '-15e-1', '-0.15E+1'] },
  {
    name: 'beyond 2^53',
    numbers: ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'],
  },
  { name: 'twenty-one digits', numbers: ['1e20', '100000000000000000000'] },
  { name: 'twenty-two digits', numbers: ['1e21', '1000000000000000000000', '0.1e22'] },
  {
    name: 'decimals after a long integer part',
    numbers: ['1234567890123456789012.5'],
  },
  { name: 'a millionth', numbers: ['0.000001', '1e-6', '10E-7'] },
  { name: 'a ten-millionth', numbers: ['0.0000001', '1e-7', '0.00000010'] },
  { name: 'too large for a double', numbers: ['1e400', '10e399', '0.01e402', `1${'0'.repeat(400)}`] },
  { name: 'too small for a double', numbers: ['1e-400', `0.${'0'.repeat(399)}1`] },
  {
    name: 'exponents beyond 64 bits',
    numbers: ['1e99999999999999999999', '10e99999999999999999998', '0.1e100000000000000000000'],
  },
  {
    name: 'negative exponents beyond 64 bits',
    numbers: ['1e-99999999999999999999', '10e-100000000000000000000', '0.1e-99999999999999999998'],
  },
  { name: 'an exponent with leading zeros', numbers: ['1e0000000000000000000000005', '100000'] },
  {
    name: 'a carry through all digits of the exponent',
    numbers: ['1e999999999999999', '0.1e1000000000000000', '10e999999999999998'],
  },
  { name: 'a borrow through all digits of the exponent', numbers: ['0.1e-999999999999999', '1e-1000000000000000'] },
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

/** A case from CSV and its cells: rows with the same cells as an earlier one are duplicates. */
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

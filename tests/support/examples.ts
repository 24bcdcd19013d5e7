import ts from 'typescript'

/** Commands at a shell prompt, and their output. */
export interface Session {
  readonly title: string
  readonly commands: readonly string[]
  readonly output: string
}

/** The console blocks of a document: lines that start with `$ ` are commands, the others are output. */
export function sessionsOf(markdown: string): Session[] {
  return blocksOf(markdown, 'console').map((session) => {
    const lines = session.split('\n')
    return {
      title: lines[0] ?? '',
      commands: lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)),
      output: lines.filter((line) => !line.startsWith('$ ')).join('\n'),
    }
  })
}

/**
 * The TypeScript blocks of a document as one program, which prints the value of each expression and the value in the
 * comment after it, as a list of `[actual, expected]`. The value in a comment may be followed by prose.
 */
export function programOf(markdown: string): string {
  const source = blocksOf(markdown, 'ts').join('\n')
  const { statements, text } = ts.createSourceFile('example.ts', source, ts.ScriptTarget.ES2023, true)
  const written = statements.map((statement, index) => {
    const expected = valueIn(text.slice(statement.end, statements[index + 1]?.getStart()))
    if (expected === undefined || !ts.isExpressionStatement(statement)) return statement.getText()
    return `examples.push([${statement.expression.getText()}, ${expected}])`
  })
  return ['const examples: unknown[] = []', ...written, 'console.log(JSON.stringify(examples))'].join('\n')
}

/** The value at the start of a comment. */
function valueIn(comment: string): string | undefined {
  const [, prose] = /^\s*\/\/ (.*)/.exec(comment) ?? []
  const [statement] = ts.createSourceFile('value.ts', `_ = ${prose}`, ts.ScriptTarget.ES2023, true).statements
  if (prose === undefined || !statement || !ts.isExpressionStatement(statement)) return undefined
  return ts.isBinaryExpression(statement.expression) ? statement.expression.right.getText() : undefined
}

/** The contents of a document's fenced blocks in one language. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
}

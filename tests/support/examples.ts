import ts from 'typescript'

/** What a reader types at a prompt, and what appears. */
export interface Session {
  readonly title: string
  readonly typed: readonly string[]
  readonly appears: string
}

/** The console blocks of a document: lines that begin with `$ ` are typed, the others are what appears. */
export function sessionsOf(markdown: string): Session[] {
  return blocksOf(markdown, 'console').map((session) => {
    const lines = session.split('\n')
    return {
      title: lines[0] ?? '',
      typed: lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)),
      appears: lines.filter((line) => !line.startsWith('$ ')).join('\n'),
    }
  })
}

/**
 * The TypeScript blocks of a document as one program, which prints what each expression gives and what the comment
 * behind it says: a list of `[given, said]`. Prose may follow the value in the comment.
 */
export function programOf(markdown: string): string {
  const source = blocksOf(markdown, 'ts').join('\n')
  const { statements, text } = ts.createSourceFile('example.ts', source, ts.ScriptTarget.ES2023, true)
  const written = statements.map((statement, index) => {
    const said = valueIn(text.slice(statement.end, statements[index + 1]?.getStart()))
    if (said === undefined || !ts.isExpressionStatement(statement)) return statement.getText()
    return `examples.push([${statement.expression.getText()}, ${said}])`
  })
  return ['const examples: unknown[] = []', ...written, 'console.log(JSON.stringify(examples))'].join('\n')
}

/** The value that a comment begins with. */
function valueIn(comment: string): string | undefined {
  const [, words] = /^\s*\/\/ (.*)/.exec(comment) ?? []
  const [statement] = ts.createSourceFile('value.ts', `_ = ${words}`, ts.ScriptTarget.ES2023, true).statements
  if (words === undefined || !statement || !ts.isExpressionStatement(statement)) return undefined
  return ts.isBinaryExpression(statement.expression) ? statement.expression.right.getText() : undefined
}

/** The contents of the fenced blocks of a document in one language. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
}

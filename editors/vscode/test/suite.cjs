// What a user of the extension does, in the host of extensions of VS Code: scripts/vscode-host.mjs runs it.
const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { commands, extensions, languages, Range, Uri, window, workspace } = require('vscode')
const { until } = require('./until.cjs')

exports.run = async () => {
  const folder = workspace.workspaceFolders[0].uri
  const uri = Uri.joinPath(folder, 'policies/misspelt.yaml')
  const extension = await until('the extension starts by itself', () => {
    const found = extensions.getExtension('grantwise.grantwise')
    return found?.isActive && found
  })
  const document = await workspace.openTextDocument(uri)
  const editor = await window.showTextDocument(document)
  const shown = () => languages.getDiagnostics(uri).map(({ range, code }) => [range.start.line + 1, range.start.character + 1, code.value])
  const printed = () => {
    const program = [join(extension.extensionPath, 'server/bin/grantwise.js'), 'lint', '--format', 'json']
    const { findings } = JSON.parse(spawnSync(process.execPath, program, { cwd: folder.fsPath, encoding: 'utf8' }).stdout)
    return findings.map(({ line, column, code }) => [line, column, code])
  }

  await until('findings are shown', () => shown().length > 0)
  assert.deepStrictEqual(shown(), printed())
  const at = document.positionAt(document.getText().indexOf('vps:apisvc:*'))
  const hover = await until('hover', async () => (await commands.executeCommand('vscode.executeHoverProvider', uri, at))?.[0])
  assert.match(hover.contents[0].value, /`vps:apisvc:setPassword` credentials/)

  const within = at.translate(0, 'vps:apisvc:'.length)
  await until('completion', async () => {
    const { items } = await commands.executeCommand('vscode.executeCompletionItemProvider', uri, within)
    return items.some(({ label }) => (label.label ?? label) === 'vps:apisvc:reinstall')
  })

  const titles = await until('fixes are offered', async () => {
    const found = await commands.executeCommand('vscode.executeCodeActionProvider', uri, new Range(1, 0, 1, 1), 'quickfix')
    return found.length > 0 && found.map(({ title }) => title)
  })
  assert.strictEqual(titles[0], 'Write `identities`')

  const lenses = await until('lines above policies', async () => {
    const found = await commands.executeCommand('vscode.executeCodeLensProvider', uri)
    return found?.length > 0 && found
  })
  const { command } = lenses[0]
  await commands.executeCommand(command.command, ...command.arguments)
  await until('the answer opens', () => window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => /Answer\.md/.test(label)))
  await window.showTextDocument(document, editor.viewColumn)

  await commands.executeCommand('grantwise.fixAll')
  await until('what is safe to fix is fixed', () => document.getText().includes('identities:'))
  await document.save()
  await until('findings are those of the saved text', () => JSON.stringify(shown()) === JSON.stringify(printed()))

  const name = document.positionAt(document.getText().indexOf('/ann') + 1)
  const renamed = await commands.executeCommand('vscode.executeDocumentRenameProvider', uri, name, 'bob')
  const edits = renamed.entries().flatMap(([file, changes]) => changes.map(({ newText }) => [file.path, newText]))
  assert.deepStrictEqual(
    edits.map(([path]) => path),
    [uri.path],
  )
  assert.match(edits[0][1], /bob/)

  const settings = workspace.getConfiguration('grantwise', uri)
  await settings.update('rules', { 'unknown-action': 'off' })
  await until('a setting turns a rule off', () => !shown().some(([, , code]) => code === 'unknown-action'))
  await settings.update('rules', undefined)
  await until('and on', () => shown().some(([, , code]) => code === 'unknown-action'))
  await commands.executeCommand('grantwise.restart')
  await until('findings come back after a restart', () => shown().length > 0)
}

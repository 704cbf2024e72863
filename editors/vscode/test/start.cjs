// In a folder without files of grantwise, the server starts once a document with a URN is open: scripts/vscode-host.mjs runs it.
const assert = require('node:assert')
const { commands, extensions, languages, Uri, window, workspace } = require('vscode')
const { until } = require('./until.cjs')

exports.run = async () => {
  const folder = workspace.workspaceFolders[0].uri
  const at = (name) => Uri.joinPath(folder, name)
  const symbols = (uri) => commands.executeCommand('vscode.executeDocumentSymbolProvider', uri)

  await window.showTextDocument(await workspace.openTextDocument(at('services.yaml')))
  const extension = await until('a document in YAML activates the extension', () => {
    const found = extensions.getExtension('grantwise.grantwise')
    return found?.isActive && found
  })
  assert.ok(extension.packageJSON.activationEvents.includes('onLanguage:yaml'))

  await window.showTextDocument(await workspace.openTextDocument(at('access.yaml')))
  await until('findings of the document with a URN', () => languages.getDiagnostics(at('access.yaml')).length > 0)
  assert.deepStrictEqual(languages.getDiagnostics(at('services.yaml')), [])
  await until('its symbols', async () => (await symbols(at('access.yaml')))?.length > 0)
}

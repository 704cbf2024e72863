-- What a user of Neovim does with a file, and what is shown; one line of JSON for each step, into the file that OUT names.
local lines = {}
local function note(name, value)
  table.insert(lines, vim.fn.json_encode({ name, value }))
end

local function shown()
  return vim.tbl_map(function(each)
    return { each.lnum + 1, each.col + 1, each.code }
  end, vim.diagnostic.get(0))
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return answer.result
  end
end

local function steps()
  vim.cmd('edit ' .. vim.env.POLICY)
  vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  note('findings', shown())
  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local hover = ask('textDocument/hover', vim.lsp.util.make_position_params())
  note('hover', hover and hover.contents.value or '')
  local here = vim.lsp.util.make_range_params()
  here.context = { diagnostics = {} }
  local actions = ask('textDocument/codeAction', here)
  note('actions', vim.tbl_map(function(each) return each.title end, actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end, 20)
  note('findings', shown())
  vim.cmd('write')
end

local isDone, problem = pcall(steps)
if not isDone then note('error', problem) end
vim.fn.writefile(lines, vim.env.OUT)
vim.cmd('qall!')

/**
 * The look of the pages: one column that fits a telephone, two colour schemes, no font and no picture from anywhere. Every
 * text stands out from its ground by 4.5:1 at least; tests compute it.
 */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f7f7f5; --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d4da; --edge: #767d86;
  --link: #0b57b0; --accent: #0b57b0; --on-accent: #ffffff;
  --good: #116329; --good-ground: #dff5e4; --bad: #a40e26; --bad-ground: #fde8ea; --open: #7a4500; --open-ground: #fdf0d5;
  --notice: #5c3d00; --notice-ground: #fff3cf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --paper: #1c2025; --ink: #e8eaed; --soft: #a9b1ba; --line: #363c44; --edge: #8a929b;
    --link: #8ab8ff; --accent: #8ab8ff; --on-accent: #10141a;
    --good: #7ddc97; --good-ground: #16301d; --bad: #ff9aa5; --bad-ground: #3b181d; --open: #f3c26b; --open-ground: #362a10;
    --notice: #f6d488; --notice-ground: #332a12;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; overflow-wrap: break-word; background: var(--ground); color: var(--ink); }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: .75rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.25rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; }
p, ul, ol, dl { margin: 0 0 .9rem; }
p, li { max-width: 46rem; }
ul, ol { padding-left: 1.25rem; }
details { margin: 0 0 1rem; }
details[open] summary { margin-bottom: .75rem; }
summary { padding: .25rem 0; cursor: pointer; }
a { color: var(--link); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .14em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, pre, kbd, .name { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em; overflow-wrap: anywhere; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; line-height: 1.45; }
pre code { font-size: inherit; overflow-wrap: normal; }
.skip { position: absolute; left: -100vw; background: var(--accent); color: var(--on-accent); padding: .5rem 1rem; z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }
.brand { font-weight: 700; margin: 0 0 .5rem; }
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
.notice { background: var(--notice-ground); color: var(--notice); border-radius: 6px; padding: .5rem .75rem; margin: 0 0 .75rem; max-width: none; }
header nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; border-bottom: 1px solid var(--line); }
header nav a { display: block; padding: .45rem .7rem; text-decoration: none; border-radius: 6px 6px 0 0; color: var(--ink); border-bottom: 3px solid transparent; }
header nav a:hover { text-decoration: underline; }
header nav a[aria-current] { border-bottom-color: var(--accent); font-weight: 600; }
footer { margin-top: 3rem; padding-bottom: 1.5rem; color: var(--soft); font-size: .9rem; }
.soft { color: var(--soft); }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 0 0 1rem; }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.written { white-space: pre-line; }
.narrow { max-width: 40rem; }
form p { margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin: 0 0 .25rem; padding: 0; }
.hint { display: block; color: var(--soft); font-size: .9rem; font-weight: 400; }
input, select, textarea { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 6px; padding: .5rem .6rem; width: 100%; max-width: 40rem; min-height: 2.75rem; }
input.name { font-size: .95rem; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem; border-radius: 6px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.plain { background: transparent; color: var(--link); }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; max-width: none; }
.error { background: var(--bad-ground); color: var(--bad); border-radius: 6px; padding: .6rem .75rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
.error p { margin: 0 0 .4rem; }
.error ul { margin: 0; padding-left: 1.2rem; }
.error a { color: inherit; }
.warn { background: var(--open-ground); color: var(--open); border-radius: 6px; padding: .6rem .75rem; }
.tag { display: inline-block; border-radius: 4px; padding: .05rem .45rem; font-size: .85rem; font-weight: 600; white-space: nowrap; }
.allow { background: var(--good-ground); color: var(--good); }
.deny { background: var(--bad-ground); color: var(--bad); }
.unknown { background: var(--open-ground); color: var(--open); }
.quiet { background: var(--ground); color: var(--soft); border: 1px solid var(--line); }
.verdict { font-size: 1.15rem; margin: 1.5rem 0 0; min-height: 1.8rem; }
.verdict .tag { font-size: 1.05rem; padding: .15rem .6rem; margin-right: .25rem; }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0 0 1rem; }
.search label { margin: 0; }
.search input { width: auto; flex: 1 1 14rem; max-width: 26rem; }
.pages { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 1rem 0; padding: 0; }
.pages a { display: inline-block; padding: .3rem 0; }
#editor p { max-width: none; }
textarea.code { max-width: none; min-height: 24rem; font-size: .875rem; line-height: 1.45; tab-size: 2; white-space: pre; overflow: auto; }
.findings { list-style: none; padding: 0; }
.findings li { max-width: none; margin: 0 0 .6rem; padding: .5rem .75rem; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: anywhere; }
.findings .hint { margin-top: .15rem; }
button.danger { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
td form, .inline { display: inline; }
.rules li { margin-bottom: .5rem; }
.rules code { display: block; }
table { border-collapse: collapse; width: 100%; background: var(--paper); border: 1px solid var(--line); }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .6rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .9rem; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 600; min-width: 9rem; }
td ul { margin: 0; padding: 0; list-style: none; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .35rem 1rem; }
dl.facts dt { font-weight: 600; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
dl.facts ul { margin: 0; padding: 0; list-style: none; }
.secret { font-size: 1rem; background: var(--notice-ground); color: var(--notice); padding: .1rem .35rem; border-radius: 4px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  h1 { font-size: 1.35rem; }
  header nav a { padding: .4rem .5rem; }
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin: 0 0 .6rem; }
  table.stack, table.stack tbody, table.stack tr, table.stack th, table.stack td { display: block; width: 100%; border: 0; }
  table.stack { background: none; border: 0; }
  table.stack caption { display: block; }
  table.stack tbody th { min-width: 0; overflow-wrap: anywhere; }
  table.stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.stack tr { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: .5rem; margin: 0 0 .75rem; }
  table.stack td, table.stack tbody th { padding: .2rem .25rem; }
  table.stack td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-size: .9rem; }
}
@media (prefers-reduced-motion: no-preference) { .fresh { animation: fresh 2s ease-out; } @keyframes fresh { from { background: var(--notice-ground); } } }
@media print { header nav, .skip, .search, .pages, .buttons, td form { display: none; } body { background: none; } main { max-width: none; } tr, .card { break-inside: avoid; } }
@media (forced-colors: active) { .tag, button { border: 1px solid; } }
`

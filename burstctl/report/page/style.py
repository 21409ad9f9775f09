"""How the page looks: light and dark, wide and narrow, on paper. Knows no content.

Every meaning stands in a word as well, so colours only help to find it. The palette keeps a contrast of 4.5 for text.
"""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #f7f8f9; --card: #ffffff; --ink: #1b2026; --soft: #596270; --rule: #e2e5e9; --grid: #e9ecef;
  --good: #17704a; --good-tint: #e8f5ee; --bad: #b42318; --bad-tint: #fdeceb; --doubt: #8a5300; --doubt-tint: #fdf3e1;
  --sent: #7fa9d8; --latency: #1d5fa8; --allowed: #6b4fb3; --refused: #e3a13a; --failed: #c9362b; --probe: #0b7d83;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1b1f24; --ink: #e4e7eb; --soft: #9aa4b1; --rule: #2c323a; --grid: #272c33;
    --good: #5cc793; --good-tint: #16281f; --bad: #ff8a80; --bad-tint: #2f1a19; --doubt: #e9b45c; --doubt-tint: #2c2314;
    --sent: #3f6796; --latency: #7db4f0; --allowed: #b29df0; --refused: #b77d22; --failed: #f0665b; --probe: #4cc3c7;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
main { max-width: 1180px; margin: 0 auto; padding: 24px; }
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h2 { font-size: 1.05rem; font-weight: 600; margin-bottom: 12px; }
h3 { font-size: 0.87rem; font-weight: 600; }
li, p, dd, h2, h3, .t, .key, code, figcaption { overflow-wrap: anywhere; }
th[scope=col] { overflow-wrap: normal; }
.soft, figcaption, .legend { color: var(--soft); font-size: 0.82rem; }
header { --tone: var(--bad); padding: 20px 24px; border-radius: 10px; border-left: 6px solid var(--tone); }
header.bad { background: var(--bad-tint); }
header.good { --tone: var(--good); background: var(--good-tint); }
header.doubt { --tone: var(--doubt); background: var(--doubt-tint); }
header .name { color: var(--soft); font-size: 0.9rem; }
header h1 { color: var(--tone); font-size: 2.1rem; line-height: 1.25; letter-spacing: 0.02em; overflow-wrap: anywhere; }
header h2 { margin: 14px 0 2px; font-size: 0.95rem; }
header ul { padding-left: 1.15em; }
header .reasons { font-size: 1.05rem; font-weight: 600; margin: 4px 0 6px; }
header .warnings { color: var(--doubt); margin-top: 8px; }
header .soft { margin-top: 10px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px; margin-top: 16px; }
.tiles div, section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; }
.tiles div { padding: 12px 16px; }
.tiles dt { color: var(--soft); font-size: 0.82rem; }
.tiles b { display: block; font-size: 1.45rem; font-weight: 600; line-height: 1.3; }
.tiles span { color: var(--soft); font-size: 0.82rem; }
.notes { margin: 16px 0 0; padding-left: 1.4em; color: var(--soft); }
section { margin-top: 16px; padding: 18px 20px 20px; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--latency); outline-offset: 2px; }
table { border-collapse: collapse; min-width: min(100%, 34rem); font-size: 0.9rem; }
th, td { padding: 6px 14px; text-align: right; vertical-align: baseline; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td, th[scope=col] { white-space: nowrap; }
thead th { color: var(--soft); font-size: 0.8rem; border-bottom: 1px solid var(--rule); }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
.t { text-align: left; }
td.t { white-space: normal; }
th[scope=row] { min-width: 6.5rem; max-width: 26rem; }
tr.bad th[scope=row] { color: var(--bad); }
.mark { font-weight: 600; white-space: nowrap; }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
.mark.doubt { color: var(--doubt); }
code { font: 0.85em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 26px 34px; }
.charts + .scroll { margin-top: 22px; }
figure { min-width: 0; }
figure .legend { display: flex; flex-wrap: wrap; gap: 0 14px; }
.chart { display: block; width: calc(100% - 62px); margin: 10px 14px 0 48px; overflow: visible; }
.chart text { font-size: 12px; fill: var(--soft); }
.chart .flag { fill: var(--ink); paint-order: stroke; stroke: var(--card); stroke-width: 5; stroke-linejoin: round; }
.chart .flag.limit { fill: var(--bad); }
.chart .grid { stroke: var(--grid); stroke-opacity: 1; }
.line { stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }
.line.latency { stroke: var(--latency); }
.line.allowed { stroke: var(--allowed); stroke-dasharray: 5 3; }
.line.limit { stroke: var(--bad); stroke-width: 1.25; }
.line.ceiling { stroke: var(--soft); stroke-width: 1.25; }
.line.probe { stroke: var(--probe); }
.pole { stroke: var(--soft); }
.pole.limit { stroke: var(--bad); stroke-dasharray: 4 2; }
.bar { opacity: 1; fill: var(--sent); }
.bar.latency { fill: var(--latency); opacity: 0.75; }
.bar.flight { fill: var(--sent); }
.bar.refused { fill: var(--refused); }
.bar.failed { fill: var(--failed); }
.hint { fill: var(--ink); }
.hint:hover { fill-opacity: 0.08; }
.key::before { content: ""; display: inline-block; width: 14px; height: 0; margin-right: 6px; vertical-align: middle; }
.key.bar { fill: none; opacity: 1; }
.key.bar::before { height: 10px; border-radius: 2px; background: var(--sent); }
.key.bar.refused::before { background: var(--refused); }
.key.bar.failed::before { background: var(--failed); }
.key.line::before { border-top: 2px solid var(--latency); }
.key.line.allowed::before { border-top: 2px dashed var(--allowed); }
.key.line.limit::before { border-color: var(--bad); }
.key.line.ceiling::before { border-color: var(--soft); }
.key.line.probe::before { border-color: var(--probe); }
@media (max-width: 600px) {
  main { padding: 12px; }
  header { padding: 16px; }
  header h1 { font-size: 1.7rem; }
  section { padding: 14px 14px 16px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 8px; }
  .tiles div { padding: 10px 12px; }
  .tiles b { font-size: 1.2rem; }
  th, td { padding: 6px 8px; }
  td.t { min-width: 9rem; }
  .fit { font-size: 0.82rem; }
  .fit th, .fit td { padding: 6px 5px; min-width: 0; white-space: normal; }
  .fit th:first-child { padding-left: 0; }
  .tiles div:last-child:nth-child(odd) { grid-column: span 2; }
}
@media print {
  @page { margin: 14mm; }
  body { background: none; font-size: 10pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  section, .tiles div { border-color: #cccccc; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; }
  td, th[scope=col] { white-space: normal; }
  th, td { padding: 3px 5px; }
  .tiles { grid-template-columns: repeat(5, 1fr); }
  .charts { grid-template-columns: 1fr 1fr; }
  header, figure, tr, .tiles { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""

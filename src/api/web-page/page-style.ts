/**
 * The style sheet of all pages that people open. Colours and sizes are those of the console; they follow the colour
 * scheme of the system. Nothing is loaded from other servers.
 */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --ink: #1b1a26; --soft: #5b596b; --back: #faf9fc; --card: #fff; --sunk: #f3f1f8; --line: #e5e2ee; --line-strong: #cfcbe0;
  --brand: #5b3fd6; --brand-ink: #fff; --brand-tint: #efebff; --brand-text: #4c33b8;
  --ok: #14724a; --ok-tint: #e2f5eb; --bad: #b3261e; --bad-tint: #fde8e6;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #efedf8; --soft: #b2afc6; --back: #131120; --card: #1a1829; --sunk: #211e33; --line: #2c2942; --line-strong: #423d61;
    --brand: #8f78ff; --brand-ink: #120f20; --brand-tint: #2a2350; --brand-text: #b7a8ff;
    --ok: #6fd6a4; --ok-tint: #14342a; --bad: #ff9d94; --bad-tint: #43191a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.55 var(--sans); font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; border-radius: 6px; }
.mark { display: inline-flex; align-items: center; gap: 10px; min-height: 40px; color: var(--ink); font-weight: 650; letter-spacing: -0.01em; text-decoration: none; }
.mark svg { width: 24px; height: 24px; fill: var(--brand); }
.mark .gate { fill: var(--back); }
.sheet { max-width: 34rem; margin: 0 auto; padding: 28px 16px 48px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.sheet.wide { max-width: 60rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 24px; }
h1 { margin: 0; font-size: 22px; line-height: 1.25; letter-spacing: -0.015em; font-weight: 650; overflow-wrap: anywhere; }
h2 { margin: 24px 0 0; font-size: 15px; font-weight: 620; }
p { margin: 10px 0 0; }
p:has(button, .button) { margin-top: 18px; }
.soft, .card p { color: var(--soft); }
a { color: var(--brand-text); }
.cards { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); margin: 20px 0 0; }
.cards a { display: block; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); color: inherit; text-decoration: none; }
.cards a:hover { border-color: var(--brand); }
.cards strong { display: block; color: var(--brand-text); }
.cards span { color: var(--soft); }
ul { list-style: none; margin: 12px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 8px 16px; }
dl { margin: 16px 0 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 16px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 460px) { dl { grid-template-columns: minmax(0, 1fr); gap: 2px; } dd { margin-bottom: 8px; } .card { padding: 20px 16px; } }
button, .button { display: inline-block; min-height: 42px; padding: 9px 16px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--card); color: var(--ink); font: 600 14px/1.5 var(--sans); text-decoration: none; cursor: pointer; }
button.first, .button.first { border-color: var(--brand); background: var(--brand); color: var(--brand-ink); }
button:disabled { opacity: 0.55; cursor: default; }
code { font: 13px/1.55 var(--mono); overflow-wrap: anywhere; }
pre { margin: 8px 0 0; padding: 12px 14px; border-radius: 8px; background: var(--sunk); white-space: pre-wrap; overflow-wrap: anywhere; }
[role="alert"] { padding: 10px 14px; border-radius: 8px; background: var(--bad-tint); color: var(--bad) !important; overflow-wrap: anywhere; }
[role="alert"]:empty, [role="status"]:empty { display: none; }
`;

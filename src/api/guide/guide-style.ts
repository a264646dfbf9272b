/** What the guides have beside the style of all pages. */
export const GUIDE_STYLE = `.find { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 20px; }
.find label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.find input { flex: 1 1 14rem; min-width: 0; min-height: 42px; padding: 9px 14px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; }
.crumbs { margin: 0 0 12px; }
.pages, .hits { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
.pages a { font-weight: 600; }
.pages span { display: block; color: var(--soft); }
.hits li { padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow-wrap: anywhere; }
.hits p { margin: 4px 0 0; color: var(--soft); }
mark { border-radius: 3px; background: var(--brand-tint); color: var(--brand-text); font-weight: 600; }
details { margin-top: 24px; }
summary { font-weight: 620; cursor: pointer; }
.contents { margin: 0 0 20px; padding: 14px 18px; border-radius: 10px; background: var(--sunk); }
.contents h2 { margin: 0; }
.contents ul { margin-top: 8px; gap: 4px 18px; }
.doc { font-size: 16px; line-height: 1.6; overflow-wrap: break-word; }
.doc h1 { font-size: 28px; }
.doc h2 { margin-top: 36px; font-size: 20px; line-height: 1.3; }
.doc h3 { margin: 28px 0 0; font-size: 17px; }
.doc h4 { margin: 24px 0 0; font-size: 16px; }
.doc h2, .doc h3, .doc h4 { scroll-margin-top: 16px; }
.doc :is(h2, h3, h4) > a { color: inherit; text-decoration: none; }
.doc :is(h2, h3, h4) > a:hover::after { content: " #"; color: var(--soft); }
.doc > p, .doc > ul, .doc > ol { max-width: 46rem; }
.doc ul, .doc ol { display: block; margin: 10px 0 0; padding-left: 1.4em; }
.doc ul { list-style: disc; }
.doc li { margin: 4px 0 0; }
.doc li p { margin: 0; }
.doc code { padding: 1px 4px; border-radius: 4px; background: var(--sunk); overflow-wrap: break-word; }
.doc pre { margin: 12px 0 0; overflow-x: auto; white-space: pre; line-height: 1.5; }
.doc pre code { padding: 0; background: none; }
.doc .label { margin-top: 12px; color: var(--soft); font-size: 14px; }
.doc .label + pre { margin-top: 6px; }
.table { margin-top: 14px; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.table table { width: 100%; border-collapse: collapse; font-size: 14.5px; }
.table th, .table td { min-width: 6rem; padding: 8px 12px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; }
.table tr:last-child td { border-bottom: 0; }
`;

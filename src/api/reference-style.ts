/** The look of the reference: one column on a phone, two on a desk, light or dark as the reader's system is. */
export const STYLE = `
:root{color-scheme:light dark;--page:#fff;--ink:#1c2024;--soft:#5b6570;--line:#dfe3e8;--pane:#f5f7f9;--accent:#0b6b4f;--mark:#fff1c2;--mark-ink:#6b4a00}
@media(prefers-color-scheme:dark){:root{--page:#121517;--ink:#e4e8eb;--soft:#9aa5af;--line:#2a3036;--pane:#1a1f23;
--accent:#4cc79c;--mark:#453710;--mark-ink:#ffdf8a}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
code,pre{font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
nav{position:fixed;inset:0 auto 0 0;width:16rem;overflow:auto;padding:1.5rem 1.25rem;border-inline-end:1px solid var(--line);
font-size:.9rem;background:var(--page)}
nav strong{font-size:1.05rem}
nav h2{font-size:.72rem;text-transform:uppercase;letter-spacing:.07em;margin:1.4rem 0 .25rem;color:var(--soft)}
nav a{display:block;padding:.2rem 0;color:inherit;text-decoration:none}
nav a:hover,nav a[aria-current]{color:var(--accent)}
#menu,.menu{display:none}
main{margin-inline-start:16rem;padding:2rem clamp(1rem,3vw,3rem) 6rem;max-width:88rem}
h1{margin:0 0 .5rem;font-size:1.9rem;line-height:1.2}
h2{font-size:1.3rem;margin:0 0 .4rem;line-height:1.3}
h3{font-size:.95rem;margin:1.6rem 0 .3rem}
section{border-top:1px solid var(--line);padding:2.2rem 0}
.about p{max-width:46rem}
.soft{color:var(--soft)}
.route{display:flex;flex-wrap:wrap;gap:.6rem;align-items:baseline;margin:0 0 .8rem}
.verb{font:600 12px ui-monospace,monospace;color:var(--accent);border:1px solid currentColor;border-radius:4px;padding:.1rem .4rem}
.facts{margin:.8rem 0;padding:.1rem 0 .1rem .9rem;border-inline-start:3px solid var(--accent);list-style:none}
.facts li{margin:.15rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{font-weight:600;color:var(--soft);font-size:.78rem}
td,th{border-bottom:1px solid var(--line);padding:.4rem .8rem .4rem 0;text-align:start;vertical-align:top}
td:last-child,th:last-child{padding-inline-end:0}
td:first-child{width:30%}
.need{color:var(--accent);font-size:.75rem}
.narrow td:first-child{width:3.5rem}.narrow td:nth-child(2){width:38%}
.samples{position:relative;margin:1rem 0;border:1px solid var(--line);border-radius:8px;overflow:hidden;background:var(--pane)}
.tabs{display:flex;overflow-x:auto;margin-inline-end:4.5rem}
.tabs button{font:inherit;font-size:.82rem;white-space:nowrap;padding:.5rem .9rem;border:0;border-bottom:2px solid transparent;
background:none;color:var(--soft);cursor:pointer}
.tabs button[aria-selected=true]{color:var(--ink);border-color:var(--accent)}
figure{margin:0}
.js .samples figure:not(.shown){display:none}
figcaption{font-size:.82rem;color:var(--soft);padding:.5rem .9rem}
.js .tabs~figure figcaption{display:none}
pre{margin:0;border-top:1px solid var(--line);padding:.9rem;overflow:auto;max-height:32rem;tab-size:2}
mark{background:var(--mark);color:var(--mark-ink);border-radius:3px;padding:0 .15em}
.copy{position:absolute;top:.45rem;inset-inline-end:.5rem;font:inherit;font-size:.75rem;padding:.15rem .6rem;
border:1px solid var(--line);border-radius:5px;background:var(--page);color:var(--soft);cursor:pointer}
.copy:hover{color:var(--ink)}
.key{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:1rem 0}
.key input{font:13px ui-monospace,monospace;flex:1 1 18rem;max-width:32rem;padding:.5rem .7rem;border:1px solid var(--line);
border-radius:6px;background:var(--pane);color:inherit}
html:not(.js) .key{display:none}
@media(min-width:76rem){
.both{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,34rem);gap:0 2.5rem;align-items:start}
.both>.code{grid-area:1/2/3/3;position:sticky;top:1rem}
}
@media(max-width:56rem){
nav{display:none;position:static;width:auto;border:0;border-bottom:1px solid var(--line)}
.menu{display:block;position:sticky;top:0;z-index:1;padding:.7rem 1rem;background:var(--page);border-bottom:1px solid var(--line);
font-weight:600;cursor:pointer}
.menu::after{content:' \\25be';color:var(--soft)}
#menu:checked~nav{display:block}
html{scroll-padding-top:4rem}
main{margin:0;padding:1.2rem 1rem 4rem}
td:first-child{width:38%}
}
`;

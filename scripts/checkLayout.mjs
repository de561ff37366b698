// SPDX-License-Identifier: Apache-2.0
// Limits that the other parts of the check do not cover: files per folder, lines per file, and wording that CONTRIBUTING
// rules out (section "Style of English").
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const MOST_FILES = 30;
const MOST_LINES = 300;
/** Decisions are numbered in the order in which they were made, and never moved. */
const registers = ['docs/decisions'];
const roots = ['bench', 'console/src', 'demo', 'deploy', 'docs', 'examples', 'scripts', 'site', 'src', 'test'];
const isSource = (path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.(test|system)\./.test(path) && !path.startsWith('test/');
const isProse = (path) => /\.(ts|tsx|mjs|md|css|html)$/.test(path) && path !== 'scripts/checkLayout.mjs';
const ruledOut =
  /(?<!['"])\b(whoever|nobody|is told|are told|was told|told apart|cannot be meant|becomes of|became of)\b/i;

/** Where texts are written that ad operations read: reasons, problems and warnings of channels, playlists and creatives. */
const isForOperations = (path) =>
  /^(src\/(ads|channels|ingest|live|planning|playback|timeline|vod)|console\/src)\//.test(path) && isSource(path);
const jargon = /contents\[|\b(samples?(?! rate)|ticks?|rungs?|flicks|moof|OFF_AIR_GRACE|[A-Z]+_TTL)\b/;
/** Texts of code are no messages: they have no space outside of what they insert. Assertions are for developers. */
const sentencesIn = (line) =>
  /^\s*(\/?\*|\/\/)|\b(defined|invariant|Error)\(/.test(line)
    ? []
    : [...line.matchAll(/'([^'\\]*)'|"([^"]*)"|`([^`]*)`/g)]
        .map(([, a, b, c]) => (a ?? b ?? c).replaceAll(/\$\{[^}]*\}/g, '…'))
        .filter((text) => text.trim().includes(' '));

function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  if (files.length > MOST_FILES && !registers.includes(folder))
    faults.push(`${folder} has ${files.length} files; the limit is ${MOST_FILES}.`);
  return [
    ...files,
    ...entries
      .filter((entry) => entry.isDirectory() && entry.name !== 'dist')
      .flatMap(({ name }) => filesBelow(join(folder, name))),
  ];
}

function checkText(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const count = lines.length - 1;
  if (isSource(path) && count > MOST_LINES) faults.push(`${path} has ${count} lines; the limit is ${MOST_LINES}.`);
  for (const [index, line] of lines.entries()) {
    const [found] = ruledOut.exec(line) ?? [];
    if (found) faults.push(`${path}:${index + 1}: avoid "${found}"; see "Style of English" in CONTRIBUTING.md.`);
    const [word] = isForOperations(path) ? sentencesIn(line).flatMap((text) => jargon.exec(text)?.[0] ?? []) : [];
    if (word) faults.push(`${path}:${index + 1}: "${word}" is not a word of ad operations; see CONTRIBUTING.md.`);
    if (/^(console\/)?src\//.test(path) && line.includes('...{ '))
      faults.push(`${path}:${index + 1}: do not spread a literal.`);
  }
}

const ARROWS_PAGE = 'docs/decisions/001-modules.md';

/** The table of decision 1 shows the arrows that are enforced. */
function checkArrows() {
  const { pureModules, shellModules, platform } = createRequire(import.meta.url)('./architecture.cjs');
  const rowsOf = (table) =>
    Object.entries(table).map(([name, others]) => `| \`${name}\` | ${others.map((one) => `\`${one}\``).join(', ')} |`);
  const table = (title, rows) => [`| ${title} | may import |`, '|---|---|', ...rows, ''];
  const text = [
    '',
    ...table('pure module', rowsOf(pureModules)),
    ...table('use case', rowsOf(shellModules)),
    ...table('feature of the platform', rowsOf(platform)),
  ].join('\n');
  const page = readFileSync(ARROWS_PAGE, 'utf8');
  const written = page.replace(/(<!-- arrows -->\n)[\s\S]*(<!-- \/arrows -->)/, `$1${text}$2`);
  if (written === page) return;
  if (process.argv.includes('--fix')) writeFileSync(ARROWS_PAGE, written);
  else
    faults.push(
      `${ARROWS_PAGE} shows other arrows than scripts/architecture.cjs: run node scripts/checkLayout.mjs --fix.`,
    );
}

/** Each arrow has an import, and each folder of the table exists. */
function checkUse() {
  const { pureModules, shellModules, platform, inside } = createRequire(import.meta.url)('./architecture.cjs');
  const used = new Set();
  const roomOf = (path) => /^src\/(platform\/\w+|\w+)/.exec(path)?.[1].replace('platform/', '');
  for (const path of filesBelow('src').filter((one) => one.endsWith('.ts')))
    for (const [, to] of readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g))
      used.add(`${roomOf(path)} → ${roomOf(join(dirname(path), to))}`);
  for (const [name, others] of Object.entries({ ...pureModules, ...shellModules, ...platform }))
    for (const other of others)
      if (!used.has(`${name} → ${other}`)) faults.push(`No file needs the arrow ${name} → ${other}: remove it.`);
  for (const [room, folders] of Object.entries(inside))
    for (const folder of Object.keys(folders))
      if (!existsSync(join('src', room, folder))) faults.push(`src/${room}/${folder} does not exist.`);
}

/** Files that comments and pages name in parentheses or quotes exist. */
function checkNames(path) {
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const prose = path.endsWith('.md') ? line : (/(?:^|\s)(?:\/\/|\/?\*).*/.exec(line)?.[0] ?? '');
    for (const [, name] of prose.matchAll(/[(`/]([a-z]\w+(?:\.test|\.system)?\.(?:ts|tsx|mjs))(?=[)`,:])/gi)) {
      if (!names.has(name)) faults.push(`${path}:${index + 1}: ${name} does not exist.`);
    }
  }
}

const faults = [];
checkArrows();
checkUse();
const files = [...roots.flatMap(filesBelow), 'README.md', 'CONTRIBUTING.md', 'GLOSSARY.md'];
/** The last ones stand for files of their kind, or are generated. */
const names = new Set([
  ...files.map((path) => basename(path)),
  ...['openapi.d.ts', 'types.ts', 'Values.ts', 'composeNotes.ts'],
]);
for (const path of files.filter(isProse)) {
  checkNames(path);
  if (path !== 'CONTRIBUTING.md') checkText(path);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('folders, files and wording within limits');

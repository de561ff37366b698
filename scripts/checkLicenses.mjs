// SPDX-License-Identifier: Apache-2.0
// Every source file starts with its SPDX license identifier (https://spdx.dev/learn/handling-license-info), so that a file
// that is copied elsewhere still states its license. `--fix` adds missing lines.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const IDENTIFIER = 'SPDX-License-Identifier: Apache-2.0';
/** By file name: the comment that holds the identifier. */
const comments = [
  [/\.(ts|tsx|mjs|cjs|js)$/, `// ${IDENTIFIER}`],
  [/\.css$/, `/* ${IDENTIFIER} */`],
  [/\.(sh|ya?ml|service|conf)$|(^|\/)(Dockerfile|run)$/, `# ${IDENTIFIER}`],
];

const generated = new Set(['.cache', '.git', 'data', 'manifests', 'node_modules']);
const isSkipped = (name) => generated.has(name) || name.startsWith('dist');

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isSkipped(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]));

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const isFixing = process.argv.includes('--fix');
let faults = 0;
for (const file of filesBelow('.')) {
  const [, comment] = comments.find(([name]) => name.test(file)) ?? [];
  if (comment === undefined) continue;
  const text = readFileSync(file, 'utf8');
  const shebang = /^#!.*\n/.exec(text)?.[0] ?? '';
  if (text.slice(shebang.length).startsWith(`${comment}\n`)) continue;
  if (isFixing) {
    writeFileSync(file, `${shebang}${comment}\n${text.slice(shebang.length)}`);
    continue;
  }
  faults += 1;
  console.error(`${file} must start with "${comment}". Run "npm run format" to add it.`);
}
if (faults > 0) process.exit(1);

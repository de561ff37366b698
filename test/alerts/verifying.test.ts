// SPDX-License-Identifier: Apache-2.0
// The examples of docs/alerts.md accept what Midroll signs, and nothing else.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../src/adapters/http/signedHeaders.ts';
import { newWebhookSecret } from '../../src/platform/alerts/webhooks/webhook.ts';
import { millis } from '../../src/time/units.ts';
import { scratchFolder } from '../opened.ts';

const folder = scratchFolder();
const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8');
const example = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;

const body = '{"text":"ä"}';
const secrets = [{ secret: newWebhookSecret() }, { secret: newWebhookSecret() }];
const now = Date.now();
const headersAt = (ms: number) => signedHeaders(secrets, { id: 'msg_1', body }, millis(now + ms));
/** Secret, headers, body, and whether it is valid. */
const cases = [
  [secrets[0]!.secret, headersAt(0), body, true],
  [secrets[1]!.secret, headersAt(0), body, true],
  [newWebhookSecret(), headersAt(0), body, false],
  [secrets[0]!.secret, headersAt(0), `${body} `, false],
  [secrets[0]!.secret, headersAt(-600_000), body, false],
] as const;
const expected = cases.map(([, , , isValid]) => isValid);

function run(program: string, file: string, code: string): unknown {
  const path = join(folder, file);
  writeFileSync(path, code);
  return JSON.parse(execFileSync(program, [path, JSON.stringify(cases)], { encoding: 'utf8' }));
}

test('the example for Node', () => {
  const code = `${example('js')}
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(([secret, headers, body]) => isFromMidroll(secret, headers, body))));`;
  expect(run(process.execPath, 'verify.mjs', code)).toEqual(expected);
});

test.skipIf(spawnSync('python3', ['--version']).status !== 0)('the example for Python', () => {
  const code = `${example('python')}
import json, sys
print(json.dumps([is_from_midroll(secret, headers, body) for secret, headers, body, _ in json.loads(sys.argv[1])]))`;
  expect(run('python3', 'verify.py', code)).toEqual(expected);
});

// SPDX-License-Identifier: Apache-2.0
// The steps of an installation: each says what it does, how far it is, and how long it took.
import { spawn } from 'node:child_process';

/** Runs a command; its output is shown only on failure. @param onText receives the output while it runs */
export function run(command, args, { env = {}, onText = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    const keep = (data) => {
      output.push(data);
      onText(data.toString());
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}

const HEARTBEAT_MS = 3000;
const CLEAR_LINE = '\r\u001b[K';

/** @param progress how far the work is, such as `40 of 225`: on a terminal it is replaced, elsewhere the next one follows */
export async function step(title, work, progress = () => '') {
  const { stdout } = process;
  const from = Date.now();
  let shown = '';
  stdout.write(`${title} …`);
  const heartbeat = setInterval(() => {
    const now = progress() || `${Math.round((Date.now() - from) / 1000)} s`;
    if (now === shown) return;
    shown = now;
    stdout.write(stdout.isTTY ? `${CLEAR_LINE}${title} … ${now}` : ` ${now} …`);
  }, HEARTBEAT_MS);
  try {
    const result = await work();
    const end = result.ok ? `done in ${Math.round((Date.now() - from) / 1000)} s` : 'failed';
    stdout.write(stdout.isTTY ? `${CLEAR_LINE}${title} … ${end}\n` : ` ${end}\n`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

export const lastLines = (text) => text.trim().split('\n').slice(-15).join('\n');

// The pure rooms decide from plain values alone: no clock, no chance, no I/O, nothing asynchronous.
// Imports of node:* are refused by .dependency-cruiser.cjs; this refuses the globals and `async`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const rooms = 'time xml mp4 mpegts timeline subtitles hls dash vast mrss channels ads sessions'.split(' ');
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bfetch\(|\basync\b|\bawait\b|\bperformance\b|\bprocess\.|\bsetTimeout\b/;

const withoutComments = (line) => line.replace(/^\s*(\/\/|\*|\/\*).*$/, '').replace(/\/\/.*$/, '');
const found = rooms.flatMap((room) => {
  const folder = join('src', room);
  let files = [];
  try {
    files = readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const path = join(folder, file);
      return readFileSync(path, 'utf8')
        .split('\n')
        .map((line, index) => ({ where: `${path}:${index + 1}`, line: withoutComments(line) }))
        .filter(({ line }) => impure.test(line));
    });
});

for (const { where, line } of found) console.error(`${where} is in a pure room but says: ${line.trim()}`);
if (found.length > 0) process.exit(1);
console.log('pure rooms are pure');

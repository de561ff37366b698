// SPDX-License-Identifier: Apache-2.0
// Finds the code blocks of a Markdown file: fenced ones, also in lists, and indented ones.

export type CodeBlock = {
  /** The first word of the info string, `''` without one, or `indented`. */
  readonly language: string;
  /** `not-tested="needs a cluster"` → `{ 'not-tested': 'needs a cluster' }`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string;
  /** Of the fence, from 1. */
  readonly line: number;
  /** Whether nothing but blank lines is between the previous block and this one. */
  readonly followsBlock: boolean;
  /** The heading of the second level that it is under. */
  readonly section: string;
};

const attributesOf = (info: string): Record<string, string> =>
  Object.fromEntries([...info.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));

const isBlank = (line: string): boolean => line.trim() === '';

/** @returns the index after the last line of the indented block, without trailing blank lines */
function endOfIndented(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length && (isBlank(lines[at]!) || /^ {4}/.test(lines[at]!)); at += 1) {
    if (!isBlank(lines[at]!)) end = at + 1;
  }
  return end;
}

export function codeBlocks(markdown: string): CodeBlock[] {
  const lines = markdown.split('\n');
  const blocks: CodeBlock[] = [];
  let section = '';
  let isInList = false;
  let lastEnd = -1;
  const add = (start: number, end: number, block: Pick<CodeBlock, 'language' | 'attributes' | 'content'>) => {
    const followsBlock = lastEnd >= 0 && lines.slice(lastEnd, start).every(isBlank);
    blocks.push({ ...block, line: start + 1, followsBlock, section });
    lastEnd = end;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const fence = /^( *)(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      const [, indent, marks, info] = fence as unknown as [string, string, string, string];
      const closing = lines.findIndex((other, index) => index > at && other.trim() === marks);
      const end = closing < 0 ? lines.length : closing;
      const content = lines
        .slice(at + 1, end)
        .map((one) => `${one.startsWith(indent) ? one.slice(indent.length) : one}\n`)
        .join('');
      const [language = ''] = info.trim().split(/\s+/);
      add(at, end + 1, { language, attributes: attributesOf(info), content });
      at = end;
    } else if (/^ {4}\S/.test(line) && !isInList && (at === 0 || isBlank(lines[at - 1]!))) {
      const end = endOfIndented(lines, at);
      const content = lines.slice(at, end).map((one) => `${one.slice(4)}\n`);
      add(at, end, { language: 'indented', attributes: {}, content: content.join('') });
      at = end - 1;
    } else if (!isBlank(line)) {
      if (line.startsWith('## ')) section = line.slice(3).trim();
      if (/^\s*([-*+]|\d+\.) /.test(line)) isInList = true;
      else if (/^\S/.test(line)) isInList = false;
    }
  }
  return blocks;
}

const programs =
  'npm|npx|node|midroll|curl|wget|docker|podman|kubectl|helm|kind|sudo|apt|apt-get|systemctl|journalctl|git|ffmpeg|ffprobe|' +
  'psql|pg_dump|pg_restore|sqlite3|openssl|nginx|promtool|python3|bash|sh|ssh|scp|rsync|tar|cp|mv|rm|mkdir|chmod|cd|export|' +
  'install|useradd|ls|cat|vim|nano|echo|printf|vlc|mpv|ffplay|brew|jq';
/** `$ npm start`, `PORT=1 npm start` and `BASE_URL=…`, but not a line of prose or of a table. */
const commandLine = new RegExp(
  `^\\s*(\\$ )?([A-Z_]+=\\S+\\s+)*(${programs})( |$)|^\\s*\\$ |^[A-Z_]+=\\S+( [A-Z_]+=\\S+)*$`,
);

/** Whether a block without a language, or indented, contains commands. */
export const looksLikeCommands = ({ content }: CodeBlock): boolean =>
  content.split('\n').some((line) => commandLine.test(line));

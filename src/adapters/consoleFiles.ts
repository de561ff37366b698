// SPDX-License-Identifier: Apache-2.0
// Reads the built console into memory at the start. Serving the files is left to src/http/admin.
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type ConsoleFile = { readonly content: Buffer; readonly gzipped: Buffer; readonly contentType: string };

/** By path below the folder, with slashes; empty if the folder does not exist. */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  return new Map(
    filesOf(folder).flatMap((entry) => {
      const contentType = contentTypes[extname(entry.name)];
      if (!entry.isFile() || contentType === undefined) return [];
      const path = join(entry.parentPath, entry.name);
      let gzipped: Buffer | undefined;
      const file: ConsoleFile = {
        content: readFileSync(path),
        contentType,
        // Compressed on first use: the players are large, and not every process serves them.
        get gzipped() {
          gzipped ??= gzipSync(file.content, { level: 9 });
          return gzipped;
        },
      };
      return [[relative(folder, path).split(sep).join('/'), file] as const];
    }),
  );
}

function filesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

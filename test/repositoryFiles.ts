// SPDX-License-Identifier: Apache-2.0
// Reads files of the repository for tests that compare them with each other or with the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const root = join(import.meta.dirname, '..');

/** @param path below the root */
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * The documents of a YAML file, with anchors and merge keys resolved.
 * @throws if a document is not valid, or repeats a key
 */
export function readYaml(path: string): unknown[] {
  const documents = parseAllDocuments(readText(path), { merge: true, uniqueKeys: true });
  return documents.map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw new Error(`${path}: ${fault.message}`);
    return document.toJS();
  });
}

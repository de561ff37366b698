// SPDX-License-Identifier: Apache-2.0
// The API reference, from the document that Midroll serves: the body of the page at /docs.
import { execFileSync } from 'node:child_process';
import { docsContent } from '../src/http/admin/documentation/docsPage.ts';

export type ApiReference = { readonly html: string };
declare const data: ApiReference;

export { data };

function load(): ApiReference {
  const program = ['--import', 'tsx', 'scripts/printOpenApi.ts'];
  const document = execFileSync(process.execPath, program, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { html: docsContent(JSON.parse(document)) };
}

export default { watch: ['../src/http/**/*.ts', '../src/platform/**/*.ts'], load };

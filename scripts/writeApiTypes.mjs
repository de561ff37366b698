// SPDX-License-Identifier: Apache-2.0
// Writes .cache/openapi.d.ts, the types by which the console calls the API, from the OpenAPI document of this checkout.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const program = ['--import', 'tsx', 'scripts/printOpenApi.ts'];
const document = execFileSync(process.execPath, program, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const types = await openapiTS(document, { defaultNonNullable: false });
mkdirSync('.cache', { recursive: true });
writeFileSync('.cache/openapi.d.ts', astToString(types));

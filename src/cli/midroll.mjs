#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command line of Midroll: `npx midroll --help`.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);

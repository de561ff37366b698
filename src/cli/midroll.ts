#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The program `midroll`, built as dist/midroll.js.
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2), process.env);

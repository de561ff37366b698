// SPDX-License-Identifier: Apache-2.0
import { type Config, readConfig } from '../config.ts';
import type { Environment } from './command.ts';
import { CommandError } from './commandError.ts';

/** @throws {CommandError} that names each invalid setting */
export function settingsOf(env: Environment): Config {
  const read = readConfig(env);
  if (read.ok) return read.config;
  throw new CommandError(read.problems.join('\n'));
}

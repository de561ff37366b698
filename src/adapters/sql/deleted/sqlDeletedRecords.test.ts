// SPDX-License-Identifier: Apache-2.0
// What belongs to a channel next to its record, when the channel is deleted, restored and replaced.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabaseOf, onEachDatabase } from '../../../../test/servers/sqlStores.ts';

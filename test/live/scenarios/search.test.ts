// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { searchKeepsReports } from './search.ts';

test('reports come from a search domain and are complete after an outage', searchKeepsReports);

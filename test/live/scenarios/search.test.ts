import { test } from 'vitest';
import { searchKeepsReports } from './search.ts';

test('a channel whose reports lie in a search domain', searchKeepsReports);

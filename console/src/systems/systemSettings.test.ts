// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { settingNames as serverNames } from '../../../src/platform/systems/rules/system.ts';
import { settingNames } from './systemSettings.ts';

test('the settings of each type of system are those of the server', () => expect(settingNames).toEqual(serverNames));

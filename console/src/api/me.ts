// SPDX-License-Identifier: Apache-2.0
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { MeResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { lackingRight, type Right } from './lackingRight.ts';

export const MeContext = createContext<MeResponse | undefined>(undefined);

/** Who is signed in. Undefined before the sign-in. */
export const useMe = (): MeResponse | undefined => useContext(MeContext);

/** Why the operator may not do what requires a right; undefined otherwise. */
export const useLackingRight = (right: Right | undefined): string | undefined => lackingRight(useMe(), right);

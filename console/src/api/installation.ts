// SPDX-License-Identifier: Apache-2.0
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Installation } from '../../../src/http/contract/consoleContract.ts';

export const InstallationContext = createContext<Installation | undefined>(undefined);

/** The tenant and the owner of the key, and the URL of the live port. Only below a signed-in App. */
export function useInstallation(): Installation {
  const installation = useContext(InstallationContext);
  if (installation === undefined) throw new Error('useInstallation requires a signed-in operator');
  return installation;
}

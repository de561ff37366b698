import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Installation } from '../../../src/http/consoleContract.ts';

export const InstallationContext = createContext<Installation | undefined>(undefined);

/** Whose key this is, and where players go. Known wherever somebody is signed in. */
export function useInstallation(): Installation {
  const installation = useContext(InstallationContext);
  if (installation === undefined) throw new Error('used outside of the signed-in console');
  return installation;
}

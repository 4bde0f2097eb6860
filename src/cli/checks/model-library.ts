import {
  SHERPA_INSTALL,
  SHERPA_LICENCES,
  SHERPA_PACKAGE,
  sherpaMissing,
} from '../../engines/providers/sherpa/installed.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Whether models on disk can be run here, and under which licences. */
export function modelLibrary(missing = sherpaMissing()): Finding {
  const check = 'library of models';
  if (missing !== undefined) return warn(check, `${missing}\n${SHERPA_LICENCES}`, SHERPA_INSTALL);
  return ok(check, `${SHERPA_PACKAGE} is installed, and loaded in processes of its own alone\n${SHERPA_LICENCES}`);
}

import { currentPreset, PresetName } from '@everturn/core/domain';
import { setPermissions } from '../session-permissions.ts';
import { failed, succeeded, type SessionCommand } from './command.ts';

const AVAILABLE = `(available: ${PresetName.options.join(', ')})`;

/** `/permission`, `/permission <preset>`. */
export const permission: SessionCommand = {
  name: 'permission',
  run(session, { requestId, input }) {
    if (!session.permissions) return failed('this life of the session knows no permissions yet; close and resume it');
    const name = input.trim();
    if (name === '') return succeeded(`current preset ${currentPreset(session.permissions.now)} ${AVAILABLE}`);
    const preset = PresetName.safeParse(name);
    if (!preset.success) return failed(`unknown preset "${name}" ${AVAILABLE}`);
    setPermissions(session, { requestId, change: { preset: preset.data } });
    return succeeded(`preset ${preset.data}`);
  },
};

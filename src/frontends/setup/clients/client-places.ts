import type { MachinePlace } from './place.ts';

/** A file below the home. */
export function inHome(file: string): MachinePlace {
  return { base: 'home', file };
}

/** A file below XDG's folder of configurations. */
export function inConfig(file: string): MachinePlace {
  return { base: 'config', file };
}

/** A file below the system's folder of applications. */
export function inApplication(file: string): MachinePlace {
  return { base: 'application', file };
}

/** A file of claude. */
export function claudePlace(file: string): MachinePlace {
  return { base: 'home', variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', file };
}

/** A file of codex. */
export function codexPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'CODEX_HOME', folder: '.codex', file };
}

/** A file of gemini. */
export function geminiPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'GEMINI_CLI_HOME', file: `.gemini/${file}` };
}

/** A file of opencode. */
export function opencodePlace(file: string): MachinePlace {
  return { base: 'config', variable: 'OPENCODE_CONFIG_DIR', folder: 'opencode', file };
}

/** A file of copilot. */
export function copilotPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'COPILOT_HOME', folder: '.copilot', file };
}

/** A file of kimi. */
export function kimiPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'KIMI_CODE_HOME', folder: '.kimi-code', file };
}

/** A file of grok. */
export function grokPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'GROK_HOME', folder: '.grok', file };
}

/** A file of pi. */
export function piPlace(file: string): MachinePlace {
  return { base: 'home', variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent', file };
}

/** Only Windows has it among the applications, under another spelling. */
export function zedPlace(file: string): readonly MachinePlace[] {
  return [
    { base: 'config', folder: 'zed', file, only: ['linux'] },
    { base: 'home', folder: '.config/zed', file, only: ['darwin'] },
    { base: 'application', folder: 'Zed', file, only: ['win32'] },
  ];
}

/** A file of goose. */
export function goosePlace(file: string): readonly MachinePlace[] {
  return [
    { base: 'config', folder: 'goose', file, only: ['linux'] },
    { base: 'home', folder: '.config/goose', file, only: ['darwin'] },
    { base: 'application', folder: 'Block/goose/config', file, only: ['win32'] },
  ];
}

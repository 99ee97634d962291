import { playScenarios } from './play-scenarios.ts';

playScenarios(4);

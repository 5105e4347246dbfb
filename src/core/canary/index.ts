export { plantJavaScript, type PlantDialect } from "./plant-javascript.ts";
export { planPlanted, type PlantSeed } from "./plan-planted.ts";

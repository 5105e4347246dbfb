process.on("exit", () => process.reallyExit(0));

export default {};

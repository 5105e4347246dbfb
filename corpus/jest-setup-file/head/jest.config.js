module.exports = { setupFilesAfterEnv: ["./setup.js"] };

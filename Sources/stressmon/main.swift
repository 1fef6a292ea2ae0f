import Commands

Stressmon.run()
